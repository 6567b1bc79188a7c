// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The objects that are registered with a center, one list for each protocol.
///
/// Lists are found by the identity of the type, because two protocols may have the same name.
struct RegisteredObservers: ~Copyable, Sendable {
    struct Lists: Sendable {
        var lists: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        /// Whether the center is finished and calls no registered object any more.
        var isFinished = false
        /// Whether the center is blocked and calls no registered object for now.
        var isBlocked = false
    }

    private let state = Lock(Lists())

    /// Returns the list of a protocol, or nil if no object was ever registered for the protocol.
    func list<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { $0.lists[ObjectIdentifier(type)] }
        return list as? Delegates<Observer>
    }

    /// Returns the list of a protocol, or nil if there is none or the center has finished.
    func members<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { $0.isFinished ? nil : $0.lists[ObjectIdentifier(type)] }
        return list as? Delegates<Observer>
    }

    /// Returns the list to notify now, or nil if there is none or the center has finished or is
    /// blocked.
    func audience<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { state in
            state.isFinished || state.isBlocked ? nil : state.lists[ObjectIdentifier(type)]
        }
        return list as? Delegates<Observer>
    }

    /// Returns the list of a protocol, creating the list if needed.
    func makeList<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer> {
        if let list = list(of: type) { return list }
        let new = Delegates<Observer>()
        let winner = state.withLock { state in
            let list = state.lists[ObjectIdentifier(type)] ?? new
            state.lists[ObjectIdentifier(type)] = list
            return list
        }
        return winner as? Delegates<Observer> ?? new
    }

    /// Blocks or resumes the calls of registered objects.
    func setBlocked(_ isBlocked: Bool) {
        state.withLock { $0.isBlocked = isBlocked }
    }

    /// Stops all further calls of registered objects, but completes earlier notifications.
    func finish() {
        state.withLock { $0.isFinished = true }
    }
}
