// SPDX-License-Identifier: Apache-2.0
// Code for Foundation's notification center, and the replacement.
import Foundation
import Tidings

extension Notification.Name {
    /// `userInfo["user"]` is a `String`.
    static let loggedIn = Notification.Name("loggedIn")
}

struct LoggedIn: Message {
    let user: String
}

struct Played: Message {
    let track: String
}

final class Album: Sendable {}

@MainActor final class Screen {
    private(set) var title = ""

    func follow(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
            screen.title = message.user
        }
    }

    func followNames(_ center: MessageCenter) {
        center.messages(named: "InternetConnect")
            .observe(owner: self, on: .main) { screen, message in
                screen.title = message.name
            }
        center.post(named: "InternetConnect", object: "en0")
    }
}

final class Greeter: Sendable {
    func greet(_ user: String) { print("hello, \(user)") }

    func follow(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self) { greeter, message in
            greeter.greet(message.user)
        }
    }

    func follow(_ album: Album, on center: MessageCenter) {
        center.messages(of: Played.self).about(album).observe(owner: self) { greeter, message in
            print("now: \(message.track)")
        }
        center.post(Played(track: "All I Want"), about: album)
    }
}

func before() {
    let observer = NotificationCenter.default.addObserver(
        forName: .loggedIn,
        object: nil,
        queue: nil
    ) { notification in
        if let user = notification.userInfo?["user"] as? String { print("hello, \(user)") }
    }
    NotificationCenter.default.post(name: .loggedIn, object: nil, userInfo: ["user": "Ada"])
    NotificationCenter.default.removeObserver(observer)
}

func after() {
    let token = MessageCenter.default.observe(LoggedIn.self) { message in
        print("hello, \(message.user)")
    }
    MessageCenter.default.post(LoggedIn(user: "Ada"))
    token.cancel()
}

func read(_ center: MessageCenter) async {
    for await message in center.messages(of: LoggedIn.self).buffering(.newest(100)).values {
        print("hello, \(message.user)")
    }
}

before()
after()
let center = MessageCenter()
let screen = Screen()
screen.follow(center)
screen.followNames(center)
let greeter = Greeter()
greeter.follow(center)
greeter.follow(Album(), on: center)
let reading = Task { await read(center) }
center.post(LoggedIn(user: "Grace"))
reading.cancel()
print(screen.title)
