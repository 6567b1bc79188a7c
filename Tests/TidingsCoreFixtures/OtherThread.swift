// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Runs `body` on a separate thread and blocks the caller until `body` is done.
///
/// Returns false if that takes a minute, because the caller then holds a lock that `body` needs.
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
