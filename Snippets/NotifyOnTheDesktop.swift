// SPDX-License-Identifier: Apache-2.0
// A notification on a Linux desktop, whose outcome reports the degraded features.
import Tidings
import TidingsDesktop
import TidingsUserNotifications

let messages = MessageCenter()
let notifications = UserNotificationCenter(
    application: .init(id: "org.example.Films", name: "Films"),
    backend: .desktop,
    messages: messages
) { _ in true }
notifications.setCategories([
    UserNotificationCategory(
        "DONE",
        actions: [.init("library", title: "Open Library", options: .opens)]
    )
])
let token = messages.observe(UserNotificationResponse.self) { response in
    print("\(response.notification.content.title): \(response.action)")
}

try await notifications.requestAuthorization()
var content = UserNotificationContent(title: "Download complete", category: "DONE")
content.kind = .transferComplete
let receipt = try await notifications.add(.init(identifier: "film-1", content: content))
switch await receipt.outcome {
case .accepted(let degraded) where degraded.contains(.actions):
    print("shown without its buttons")
case .unavailable(let reason): print("only in the program's own list: \(reason)")
case let outcome: print(outcome)
}
token.cancel()
