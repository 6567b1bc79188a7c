// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'removingDuplicates()'
import Tidings

struct Scrolled: Message, Equatable { let offset: Int }

func start(_ center: MessageCenter) {
    let token = center.messages(of: Scrolled.self).removeDuplicates().observe { print($0.offset) }
    print(token)
}
