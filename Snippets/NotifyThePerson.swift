// SPDX-License-Identifier: Apache-2.0
// A notification, and the user's response as a typed message.
import Tidings
import TidingsUserNotifications

let messages = MessageCenter()
let notifications = UserNotificationCenter(
    application: .init(id: "org.example.Films", name: "Films"),
    backend: .inMemory,
    messages: messages
) { _ in true }
notifications.setCategories([
    UserNotificationCategory("DONE", actions: [.init("library", title: "Open Library")])
])
let token = messages.observe(UserNotificationResponse.self) { response in
    print("\(response.notification.content.title): \(response.action)")
}

try await notifications.requestAuthorization()
let content = UserNotificationContent(title: "Download complete", category: "DONE")
let receipt = try await notifications.add(.init(identifier: "film-1", content: content))
print(await receipt.outcome)
try notifications.respond(to: "film-1", .custom("library"))
token.cancel()
