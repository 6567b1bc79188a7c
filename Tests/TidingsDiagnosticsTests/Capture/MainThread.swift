// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// The initial thread of the process, which is idle while tests run on other threads.
enum MainThread {
    private static let work = Lock<(@Sendable () -> Void)?>(nil)

    /// Runs a body on the main thread and its stack, inside a signal handler.
    ///
    /// The body need not return.
    static func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0 = body }
        signal(SIGUSR1) { _ in
            let body = MainThread.work.withLock { $0 }
            body?()
        }
        _ = RawCalls.sendToThread(getpid(), getpid(), SIGUSR1)
    }
}
