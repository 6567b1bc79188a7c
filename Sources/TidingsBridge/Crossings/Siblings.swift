// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The bridges of each center of this process.
///
/// A message that several bridges of one center carry has one id. A process that several of these
/// bridges reach handles the message once.
enum Siblings {
    private struct Entry {
        let outlet: Outlet
        let name: WireName
    }

    private struct State {
        var outlets: [ObjectIdentifier: [Entry]] = [:]
        /// The newest messages that the bridges of a center have posted on this center.
        var claims: [ObjectIdentifier: Claims] = [:]
        var members: [ObjectIdentifier: Int] = [:]
    }

    private static let state = Lock(State())

    /// Adds the outlets of a bridge until `remove`.
    static func add(_ outlets: [Outlet], on center: ObjectIdentifier) {
        state.withLock { state in
            state.members[center, default: 0] += 1
            state.outlets[center, default: []] += outlets.map { Entry(outlet: $0, name: $0.name) }
        }
    }

    /// Removes the outlets of a bridge.
    static func remove(_ outlets: [Outlet], on center: ObjectIdentifier) {
        let removed = state.withLock { state in
            let all = state.outlets[center] ?? []
            let kept = all.filter { entry in !outlets.contains { $0 === entry.outlet } }
            state.outlets[center] = kept
            state.members[center, default: 1] -= 1
            if state.members[center] == 0 {
                state.members[center] = nil
                state.outlets[center] = nil
                state.claims[center] = nil
            }
            return all
        }
        withExtendedLifetime(removed) {}
    }

    /// Returns the first outlet of a type, and whether the type has no further outlet.
    static func leader(
        of name: WireName,
        on center: ObjectIdentifier
    ) -> (outlet: Outlet, isAlone: Bool)? {
        state.withLock { state in
            guard let entries = state.outlets[center],
                let first = entries.firstIndex(where: { $0.name == name })
            else { return nil }
            let isAlone = !entries[(first + 1)...].contains { $0.name == name }
            return (entries[first].outlet, isAlone)
        }
    }

    /// Whether the center has another outlet of a type.
    static func has(
        anotherThan outlet: Outlet,
        of name: WireName,
        on center: ObjectIdentifier
    ) -> Bool {
        state.withLock { state in
            state.outlets[center]?.contains { $0.outlet !== outlet && $0.name == name } ?? false
        }
    }

    static func outlets(of name: WireName, on center: ObjectIdentifier) -> [Outlet] {
        state.withLock { $0.outlets[center]?.filter { $0.name == name }.map(\.outlet) ?? [] }
    }

    /// Claims a received message for the bridge that asks first, until `complete` or `release`.
    static func claim(
        _ id: String,
        by origin: String,
        on center: ObjectIdentifier
    ) -> Claims.Outcome {
        state.withLock { state in
            // A bridge that has left may still have messages in work.
            guard state.members[center, default: 0] > 1 || state.claims[center] != nil else {
                return .granted
            }
            return state.claims[center, default: Claims()].insert(id, by: origin)
        }
    }

    /// Calls `action` once the bridge with a message in work completes or releases the message.
    ///
    /// - Returns: False if no bridge has the message in work.
    static func wait(
        for id: String,
        on center: ObjectIdentifier,
        _ action: @escaping @Sendable () -> Void
    ) -> Bool {
        state.withLock { $0.claims[center]?.wait(for: id, action) ?? false }
    }

    /// Whether a bridge waits for another bridge that has a message in work.
    static func isAwaited(_ id: String, on center: ObjectIdentifier) -> Bool {
        state.withLock { $0.claims[center]?.isAwaited(id) ?? false }
    }

    /// Notes that this bridge has handled a message, or keeps the message until that happens.
    static func complete(_ id: String, by origin: String, on center: ObjectIdentifier) {
        let actions = state.withLock { $0.claims[center]?.complete(id, by: origin) ?? [] }
        for action in actions { action() }
    }

    /// Gives up a claim, because the message was not handled.
    static func release(_ id: String, by origin: String, on center: ObjectIdentifier) {
        let actions = state.withLock { $0.claims[center]?.release(id, by: origin) ?? [] }
        for action in actions { action() }
    }

    /// Gives up all claims of a bridge that has ended on messages in work.
    static func releaseWork(by origin: String, on center: ObjectIdentifier) {
        let actions = state.withLock { $0.claims[center]?.releaseWork(by: origin) ?? [] }
        for action in actions { action() }
    }
}
