// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// What happened in a test, in order, from any thread.
final class Log<Value: Sendable>: Sendable {
    // Not `Mutex`, which the thread sanitizer cannot see on Linux.
    private let values = Lock<[Value]>([])

    func callAsFunction(_ value: Value) {
        values.withLock { $0.append(value) }
    }

    var all: [Value] { values.withLock { $0 } }
}

/// The message of most tests.
struct Ping: Message, Equatable {
    var number = 0
}

/// Another type of message.
struct Pong: Message {
    var number = 0
}

/// An object that owns observations.
final class Owner: Sendable {
    let log = Log<Int>()
}
