// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The last element with which one observation was called.
final class LastElement<Element: Sendable & Equatable>: Sendable {
    private struct State {
        var element: Element?
        /// The number of replacements.
        var version = 0
    }

    private let state = Lock(State())

    /// Replaces the last element; returns false if both are equal.
    ///
    /// The user's `==` runs outside the lock. If another thread replaced the element meanwhile, the
    /// comparison is repeated.
    func replace(with element: Element) -> Bool {
        while true {
            let (last, version) = state.withLock { ($0.element, $0.version) }
            if last == element { return false }
            // `last` releases the replaced element here, outside the lock.
            let isReplaced = state.withLock { state in
                guard state.version == version else { return false }
                state.element = element
                state.version += 1
                return true
            }
            if isReplaced { return true }
        }
    }
}
