// SPDX-License-Identifier: Apache-2.0

/// The objects that are registered with a center, one list for each protocol.
///
/// A list is found by the identity of the type: two protocols may have one name.
struct RegisteredObservers: ~Copyable, Sendable {
    /// Nil once the center is finished.
    private let lists = Lock<[ObjectIdentifier: any AnyObject & Sendable]?>([:])

    /// The list of a protocol; nil if nobody ever registered for it.
    func list<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer>? {
        let list = lists.withLock { $0?[ObjectIdentifier(type)] }
        return list as? Delegates<Observer>
    }

    /// The list of a protocol, made if there was none.
    func makeList<Observer: Sendable>(of type: Observer.Type) -> Delegates<Observer> {
        if let list = list(of: type) { return list }
        let new = Delegates<Observer>()
        let winner = lists.withLock { lists -> any AnyObject & Sendable in
            // Nobody will ever find a list that is made now.
            guard lists != nil else { return new }
            let list = lists?[ObjectIdentifier(type)] ?? new
            lists?[ObjectIdentifier(type)] = list
            return list
        }
        return winner as? Delegates<Observer> ?? new
    }

    /// Forgets everybody and takes nobody any more.
    func finish() {
        let dropped = lists.withLock { $0.take() }
        // Released here, not under the lock.
        withExtendedLifetime(dropped) {}
    }
}
