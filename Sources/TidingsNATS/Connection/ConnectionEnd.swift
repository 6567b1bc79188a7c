// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge
import TidingsLock

/// The end of a connection, with the first reason and the listeners to notify.
final class ConnectionEnd: Sendable {
    private struct State {
        var reason: TransportError?
        var last = 0
        var listeners: [Int: @Sendable (TransportError) -> Void] = [:]
    }

    private let state = Lock(State())

    /// The reason, or nil while the connection works.
    var reason: TransportError? { state.withLock { $0.reason } }

    /// Ends the connection, with no effect in later calls.
    func end(_ code: TransportError.Code, _ message: String) {
        let reason = TransportError(code, message)
        let listeners = state.withLock { state -> [@Sendable (TransportError) -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(reason) }
    }

    /// Calls `listener` once with the reason, or immediately if the connection has ended.
    ///
    /// - Returns: The number by which ``forget(_:)`` finds the listener.
    @discardableResult
    func whenEnded(_ listener: @escaping @Sendable (TransportError) -> Void) -> Int {
        let (number, reason) = state.withLock { state -> (Int, TransportError?) in
            state.last += 1
            if state.reason == nil { state.listeners[state.last] = listener }
            return (state.last, state.reason)
        }
        if let reason { listener(reason) }
        return number
    }

    /// Removes a listener.
    func forget(_ number: Int) {
        // The listener is released after the lock.
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }

    /// Throws the reason if the connection has ended.
    func check() throws(TransportError) {
        if let reason { throw reason }
    }
}
#endif
