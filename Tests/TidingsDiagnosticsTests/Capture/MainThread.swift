// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The thread that a process begins with, which waits for nothing while tests run on others.
enum MainThread {
    private static let work = Lock<(@Sendable () -> Void)?>(nil)

    /// Runs a body on it, on its own stack, in a signal handler; the body need not come back.
    static func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0 = body }
        signal(SIGUSR1) { _ in
            let body = MainThread.work.withLock { $0 }
            body?()
        }
        _ = RawCalls.sendToThread(getpid(), getpid(), SIGUSR1)
    }
}
