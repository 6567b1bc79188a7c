// SPDX-License-Identifier: Apache-2.0
// Foundation notifications forwarded as messages, and messages as notifications.
import Foundation
import Tidings
import TidingsFoundation

struct LoggedIn: Message {
    let name: String
}

extension LoggedIn: NotificationMessage {
    static let notificationName = Notification.Name("UserDidLogIn")

    init?(_ notification: Notification) {
        guard let name = notification.userInfo?["name"] as? String else { return nil }
        self.init(name: name)
    }

    var notification: Notification {
        Notification(name: Self.notificationName, userInfo: ["name": name])
    }
}

let center = MessageCenter()
let bag = ObservationBag()
center.forward(LoggedIn.self, from: .default).store(in: bag)
center.forward(LoggedIn.self, to: .default).store(in: bag)

center.observe(LoggedIn.self) { print("hello, \($0.name)") }.store(in: bag)
NotificationCenter.default.post(LoggedIn(name: "Ada").notification)
