// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Shows the page for launchers, which can ask for the page before the server has an address.
final class Activation: Sendable {
    private struct State {
        var show: (@Sendable (_ token: String?) -> Void)?
        /// The token of a request from before the start.
        ///
        /// The outer nil means that there was no request.
        var early: String??
    }

    private let state = Lock(State())

    /// Shows the page, either now or as soon as the server has an address.
    ///
    /// - Parameter token: The token that permits the page's window to come to the front.
    func activate(_ token: String?) {
        let show = state.withLock { state in
            if state.show == nil { state.early = .some(token) }
            return state.show
        }
        show?(token)
    }

    /// Sets the closure that shows the page, and calls the closure if a launcher has already asked.
    func begin(_ show: @escaping @Sendable (_ token: String?) -> Void) {
        let early = state.withLock { state in
            state.show = show
            defer { state.early = nil }
            return state.early
        }
        if let early { show(early) }
    }
}
