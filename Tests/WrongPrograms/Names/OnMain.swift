// SPDX-License-Identifier: Apache-2.0
// expect: write 'messages(named:).observe(owner:on:)'
import Tidings

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) {
        center.observe(named: "InternetConnect", owner: self, on: .main) { name, object in
            self.title = name
        }
    }
}
