// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The bridges of each center of this process.
///
/// A message that several bridges of one center carry has one id, so that a process that both of
/// them reach handles it once.
enum Siblings {
    private struct Entry {
        let outlet: Outlet
        let name: WireName
    }

    private struct State {
        var outlets: [ObjectIdentifier: [Entry]] = [:]
        /// The ids of messages that the bridges of a center have posted on it, the newest ones.
        var claims: [ObjectIdentifier: Claims] = [:]
        var members: [ObjectIdentifier: Int] = [:]
    }

    private struct Claims {
        var owners: [String: String] = [:]
        var order: [String] = []

        mutating func insert(_ id: String, by owner: String) -> Bool {
            if let first = owners[id] { return first == owner }
            owners[id] = owner
            order.append(id)
            if order.count > 20_000 {
                for old in order.prefix(10_000) { owners[old] = nil }
                order.removeFirst(10_000)
            }
            return true
        }

        mutating func remove(_ id: String, by owner: String) {
            guard owners[id] == owner else { return }
            owners[id] = nil
            // Nearly always one of the last; otherwise the place counts until it is an old one.
            if order.last == id { order.removeLast() }
        }
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

    static func leader(of name: WireName, on center: ObjectIdentifier) -> Outlet? {
        state.withLock { $0.outlets[center]?.first { $0.name == name }?.outlet }
    }

    static func outlets(of name: WireName, on center: ObjectIdentifier) -> [Outlet] {
        state.withLock { $0.outlets[center]?.filter { $0.name == name }.map(\.outlet) ?? [] }
    }

    /// Claims a received message for the bridge that asks first.
    ///
    /// - Returns: False if another bridge of the center, with another origin, has claimed it.
    static func claim(_ id: String, by origin: String, on center: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard state.members[center, default: 0] > 1 else { return true }
            return state.claims[center, default: Claims()].insert(id, by: origin)
        }
    }

    /// Gives up a claim, because the message was not handled.
    static func release(_ id: String, by origin: String, on center: ObjectIdentifier) {
        _ = state.withLock { $0.claims[center]?.remove(id, by: origin) }
    }
}
