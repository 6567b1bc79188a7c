// SPDX-License-Identifier: Apache-2.0
// A user's response to a notification, routed to the responsible part of the program.
import Tidings
import TidingsUserNotifications

struct FilmOpened: Message {
    let film: String
}

let messages = MessageCenter()
let backend = UserNotificationInMemoryBackend()
let notifications = UserNotificationCenter(
    application: .init(id: "org.example.Films", name: "Films"),
    backend: .inMemory(backend),
    messages: messages
) { _ in true }

final class Router: Sendable {
    private let messages: MessageCenter

    init(_ messages: MessageCenter) {
        self.messages = messages
        messages.observe(UserNotificationResponse.self, owner: self) { router, response in
            router.follow(response)
        }
    }

    private func follow(_ response: UserNotificationResponse) {
        guard let film = response.notification.content.userInfo["film"]?.string else { return }
        switch response.action {
        case .open, .custom("play"): messages.post(FilmOpened(film: film))
        case .reply("rate", let words): print("film \(film): \(words)")
        default: break
        }
    }
}

notifications.setCategories([
    UserNotificationCategory(
        "FILM",
        actions: [
            .init("play", title: "Play", options: .foreground),
            .init("rate", title: "Rate", replyPlaceholder: "How was it?"),
        ]
    )
])
let router = Router(messages)
notifications.start()

let token = messages.observe(FilmOpened.self) { print("film \($0.film) is open") }
try await notifications.requestAuthorization()
let content = UserNotificationContent(
    title: "Download complete",
    category: "FILM",
    userInfo: ["film": "7"]
)
for action in [UserNotificationResponse.Action.custom("play"), .reply("rate", "Long.")] {
    let receipt = try await notifications.add(.init(identifier: "film-7", content: content))
    _ = await receipt.outcome
    try backend.respond(to: "film-7", action)
}
token.cancel()
