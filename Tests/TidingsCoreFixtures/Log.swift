// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The values that a test records in order, from any thread.
package final class Log<Value: Sendable>: Sendable {
    // The lock is not a `Mutex`, which the thread sanitizer cannot see on Linux.
    private let values = Lock<[Value]>([])

    package init() {}

    package func callAsFunction(_ value: Value) {
        values.withLock { $0.append(value) }
    }

    package var all: [Value] { values.withLock { $0 } }
}

/// The message of most tests.
package struct Ping: Message, Equatable {
    package var number: Int

    package init(number: Int = 0) {
        self.number = number
    }
}

/// Another type of message.
package struct Pong: Message {
    package var number: Int

    package init(number: Int = 0) {
        self.number = number
    }
}

/// An object that owns observations.
package final class Owner: Sendable {
    package let log = Log<Int>()

    package init() {}
}
