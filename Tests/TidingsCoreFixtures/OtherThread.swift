// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Runs `body` on a thread of its own and blocks this one until it is done.
///
/// Returns false if that takes a minute: then the caller holds a lock that `body` needs.
package func finishesOnAnotherThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Thread {
        body()
        done.signal()
    }.start()
    return done.wait(timeout: .now() + 60) == .success
}

/// An object whose end runs a closure.
package final class Canary: Sendable {
    private let atEnd: @Sendable () -> Void

    package init(_ atEnd: @escaping @Sendable () -> Void = {}) {
        self.atEnd = atEnd
    }

    deinit { atEnd() }

    /// Keeps the canary in a closure's captures.
    package func stay() {}
}
