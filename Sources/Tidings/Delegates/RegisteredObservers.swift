// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The objects that are registered with a center, one list for each protocol.
///
/// A list is found by the identity of the type: two protocols may have one name.
struct RegisteredObservers: ~Copyable, Sendable {
    struct Lists: Sendable {
        var lists: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        /// Whether nobody on them is told anything any more.
        var isFinished = false
        /// Whether nobody on them is called for now.
        var isBlocked = false
    }

    private let state = Lock(Lists())

    /// The list of a protocol; nil if nobody ever registered for it.
    func list<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { $0.lists[ObjectIdentifier(type)] }
        return list as? Delegates<Observer>
    }

    /// Those on the list of a protocol whose registrations stand; nil if nobody's does.
    func members<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { $0.isFinished ? nil : $0.lists[ObjectIdentifier(type)] }
        return list as? Delegates<Observer>
    }

    /// Those of them who are called now; nil if nobody is.
    func audience<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = state.withLock { state in
            state.isFinished || state.isBlocked ? nil : state.lists[ObjectIdentifier(type)]
        }
        return list as? Delegates<Observer>
    }

    /// The list of a protocol, made if there was none.
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

    /// Lets nobody be called for now, or again.
    func setBlocked(_ isBlocked: Bool) {
        state.withLock { $0.isBlocked = isBlocked }
    }

    /// Lets nobody be told anything any more; what was told before is completed.
    func finish() {
        state.withLock { $0.isFinished = true }
    }
}
