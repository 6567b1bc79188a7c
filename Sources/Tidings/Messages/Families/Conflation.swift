// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Remembers the last message that one observation was called with, and refuses its equals.
final class Conflation<M: Message & Equatable>: Sendable {
    private struct State {
        var last: M?
        /// Counts what was let through.
        var version = 0
    }

    private let state = Lock(State())

    /// Lets a message through, as the new last one, unless it equals the one before.
    ///
    /// Comparing is the user's code and happens outside the lock: if another message was let
    /// through meanwhile, this one is compared with that.
    func admits(_ message: M) -> Bool {
        while true {
            let (last, version) = state.withLock { ($0.last, $0.version) }
            if last == message { return false }
            // What is replaced is released here, by `last`, not under the lock.
            let isCurrent = state.withLock { state in
                guard state.version == version else { return false }
                state.last = message
                state.version += 1
                return true
            }
            if isCurrent { return true }
        }
    }

    /// A filter for one observation: what `other` refuses is not compared and not remembered.
    static func filter(after other: (@Sendable (M) -> Bool)?) -> @Sendable (M) -> Bool {
        let conflation = Conflation()
        return { message in
            if let other, !other(message) { return false }
            return conflation.admits(message)
        }
    }
}
