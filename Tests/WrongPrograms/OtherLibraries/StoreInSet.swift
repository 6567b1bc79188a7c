// SPDX-License-Identifier: Apache-2.0
// expect: 'Set<Int>' to expected argument type 'ObservationBag'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    var tokens = Set<Int>()
    center.observe(LoggedIn.self) { message in print(message.name) }.store(in: &tokens)
}
