// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Shows the page for launchers, which may ask before the server has its address.
final class Activation: Sendable {
    private struct State {
        var show: (@Sendable (_ token: String?) -> Void)?
        /// The token of a request from before the start; the outer nil means that there was none.
        var early: String??
    }

    private let state = Lock(State())

    /// Shows the page, now or when there is one.
    ///
    /// - Parameter token: The token that permits its window to come to the front.
    func activate(_ token: String?) {
        let show = state.withLock { state in
            if state.show == nil { state.early = .some(token) }
            return state.show
        }
        show?(token)
    }

    /// Sets the closure that shows the page, and calls it if a launcher already asked.
    func begin(_ show: @escaping @Sendable (_ token: String?) -> Void) {
        let early = state.withLock { state in
            state.show = show
            defer { state.early = nil }
            return state.early
        }
        if let early { show(early) }
    }
}
