// SPDX-License-Identifier: Apache-2.0
// expect no error
import Tidings

struct LoggedIn: Message { let name: String }

extension MessageType<LoggedIn> {
    static var loggedIn: MessageType { MessageType() }
}

extension Message where Self == LoggedIn {
    static var loggedIn: LoggedIn { LoggedIn(name: "Ada") }
}

final class Log: Sendable {
    func write(_ text: String) {}

    func start(_ center: MessageCenter) -> [ObservationToken] {
        center.observe(LoggedIn.self, owner: self) { $0.write($1.name) }
        center.observe(named: "LoggedIn", owner: self) { name, _ in print(name) }
        center.messages(of: LoggedIn.self).observe(owner: self) { log, message in
            log.write(message.name)
        }
        center.post(.loggedIn)
        for message in [LoggedIn(name: "Ada")] as [any Message] { center.post(message) }
        return [
            center.observe(LoggedIn.self) { print($0.name) },
            center.messages(.loggedIn).observe { message in print(message.name) },
            center.messages(of: LoggedIn.self).observe { message in
                await Task.yield()
                print(message.name)
            },
            center.messages(named: "LoggedIn").observe { print($0.name) },
            center.allMessages.observe { print($0) },
        ]
    }
}

@MainActor
final class Screen {
    var title = ""

    func start(_ center: MessageCenter) -> ObservationToken {
        center.observe(LoggedIn.self, owner: self, on: .main) { $0.title = $1.name }
        center.messages(of: LoggedIn.self).observe(owner: self, on: .main) { screen, message in
            screen.title = message.name
        }
        return center.observe(LoggedIn.self, on: .main) { print($0.name) }
    }
}

actor Library {
    var names: [String] = []

    func start(_ center: MessageCenter) {
        center.messages(of: LoggedIn.self).observe(on: self) { library, message in
            library.names.append(message.name)
        }
    }
}
