// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The connections of all downloads by host.
///
/// The further connections for one file get places only while a host has fewer connections than the
/// maximum, and give them up when another request needs them. With a limit, a request waits until
/// its host has fewer connections; a redirect does not wait, but counts. The parts that share an
/// HTTP/2 connection count as one. Safe from any thread.
final class HostConnections: Sendable {
    /// The maximum number of connections to a host that has further ones.
    static let maximum = ConnectionCount.maximum

    private let state = Lock(State())

    private struct State {
        var hosts: [String: Host] = [:]
        /// The maximum number of connections to a host; nil without one for needed connections.
        var limit: Int?
        var lastWaiter = 0
        /// The hosts whose last part came over a connection that carries several at once.
        var sharing: Set<String> = []

        /// The maximum number of connections to a host that has further ones.
        var maximum: Int { min(HostConnections.maximum, limit ?? .max) }
    }

    private struct Host {
        var needed = 0
        /// The requests that share one connection.
        var shared = 0
        var further: [Place] = []
        /// The requests that wait for a place, in the order of their arrival.
        var waiters: [Waiter] = []

        var count: Int { needed + min(1, shared) + further.count }
        var isUnused: Bool { count == 0 && waiters.isEmpty }

        /// Removes and returns the further connections above a maximum.
        mutating func revoke(above maximum: Int) -> [Place] {
            var revoked: [Place] = []
            while count > maximum, let last = further.popLast() { revoked.append(last) }
            return revoked
        }

        /// Gives free places to waiting requests, which the caller resumes.
        mutating func admit(_ limit: Int?) -> [CheckedContinuation<Void, any Error>] {
            var admitted: [CheckedContinuation<Void, any Error>] = []
            // A request that could share a connection does not overtake one that needs its own.
            while let next = waiters.first, next.isShared && shared > 0 || count < limit ?? .max {
                admitted.append(waiters.removeFirst().continuation)
                if next.isShared { shared += 1 } else { needed += 1 }
            }
            return admitted
        }
    }

    private struct Waiter {
        let number: Int
        let isShared: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The place of a connection, until `leave`.
    final class Place: Sendable {
        fileprivate let host: Lock<String?>
        /// Ends the connection; nil if the download needs it.
        fileprivate let revoke: (@Sendable () -> Void)?
        /// Whether other requests share the connection.
        fileprivate let isShared: Bool
        private let connections: HostConnections

        fileprivate init(
            _ connections: HostConnections,
            _ host: String,
            isShared: Bool = false,
            revoke: (@Sendable () -> Void)?
        ) {
            self.connections = connections
            self.isShared = isShared
            self.host = Lock(host)
            self.revoke = revoke
        }

        /// Counts a needed connection for another host, to which it was redirected.
        func move(to host: String) {
            // A connection that several requests share stays that of its host.
            let old = self.host.withLock { old in
                if isShared { return String?.none }
                defer { if old != nil { old = host } }
                return old
            }
            guard let old, old != host else { return }
            connections.add(self, to: host)
            connections.remove(self, from: old)
        }

        /// Gives the place up; later calls do nothing.
        func leave() {
            let host = host.withLock { host in
                defer { host = nil }
                return host
            }
            if let host { connections.remove(self, from: host) }
        }
    }

    /// Returns a place for a connection that a download needs, whether or not the host has one.
    func enter(_ host: String) -> Place {
        let place = Place(self, host, revoke: nil)
        add(place, to: host)
        return place
    }

    /// Returns a place for a connection that a download needs; a recording does not wait for it.
    ///
    /// A caller has no other place meanwhile, so that no two can wait for each other.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func enter(_ host: String, isLive: Bool, mayShare: Bool = false) async throws -> Place {
        isLive ? enter(host) : try await waitToEnter(host, mayShare: mayShare)
    }

    /// Returns a place for a further connection; nil if the host has none.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - revoke: Called, on any thread, when a needed connection takes the place. It ends the
    ///     further one.
    /// - Returns: The place, which the caller leaves in any case; nil if there is none.
    func enterFurther(_ host: String, revoke: @escaping @Sendable () -> Void) -> Place? {
        let place = Place(self, host, revoke: revoke)
        return state.withLock { state in
            guard state.hosts[host, default: Host()].count < state.maximum else { return nil }
            state.hosts[host, default: Host()].further.append(place)
            return place
        }
    }

    /// Records whether the parts of a host share its connection.
    func setSharing(_ isShared: Bool, of host: String) {
        state.withLock { state in
            if isShared { state.sharing.insert(host) } else { state.sharing.remove(host) }
        }
    }

    /// Returns a place for a connection that a download needs, as soon as the limit permits it.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - mayShare: Whether the request may share the connection of others.
    /// - Returns: The place, which the caller leaves.
    /// - Throws: `CancellationError` if the task is cancelled before.
    func waitToEnter(_ host: String, mayShare: Bool = false) async throws -> Place {
        let (number, isShared) = state.withLock { state in
            state.lastWaiter += 1
            return (state.lastWaiter, mayShare && state.sharing.contains(host))
        }
        let place = Place(self, host, isShared: isShared, revoke: nil)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (revoked, admitted) = state.withLock { state in
                    var entry = state.hosts[host, default: Host()]
                    entry.waiters.append(
                        Waiter(number: number, isShared: isShared, continuation: continuation)
                    )
                    // A further connection makes room for a needed one.
                    let hasRoom = isShared && entry.shared > 0
                    let revoked = hasRoom ? [] : entry.revoke(above: state.maximum - 1)
                    let admitted = entry.admit(state.limit)
                    state.hosts[host] = entry
                    return (revoked, admitted)
                }
                for place in revoked { place.revoke?() }
                for waiter in admitted { waiter.resume() }
                // The handler below may have run before the request waited.
                if Task.isCancelled { cancelWaiter(number, of: host) }
            }
        } onCancel: {
            cancelWaiter(number, of: host)
        }
        return place
    }

    private func cancelWaiter(_ number: Int, of host: String) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.hosts[host]?.waiters.firstIndex(where: { $0.number == number })
            else { return nil }
            let waiter = state.hosts[host]?.waiters.remove(at: index)
            if state.hosts[host]?.isUnused == true { state.hosts[host] = nil }
            return waiter?.continuation
        }
        waiter?.resume(throwing: CancellationError())
    }

    /// Limits the connections to each host from now on; nil limits only the further ones.
    ///
    /// Further connections above the limit end at once, the others at the end of their requests.
    func limit(to limit: Int?) {
        let (revoked, admitted) = state.withLock { state in
            state.limit = limit
            var revoked: [Place] = []
            var admitted: [CheckedContinuation<Void, any Error>] = []
            let maximum = state.maximum
            for host in state.hosts.keys {
                revoked += state.hosts[host]?.revoke(above: maximum) ?? []
                admitted += state.hosts[host]?.admit(limit) ?? []
            }
            return (revoked, admitted)
        }
        for place in revoked { place.revoke?() }
        for waiter in admitted { waiter.resume() }
    }

    /// The maximum number of connections to a host; nil without one for needed connections.
    var limit: Int? { state.withLock { $0.limit } }

    /// Returns the number of further connections that may begin.
    func free(_ host: String) -> Int {
        state.withLock { max(0, $0.maximum - ($0.hosts[host]?.count ?? 0)) }
    }

    fileprivate func add(_ place: Place, to host: String) {
        let revoked = state.withLock { state in
            state.hosts[host, default: Host()].needed += 1
            let maximum = state.maximum
            return state.hosts[host, default: Host()].revoke(above: maximum)
        }
        for place in revoked { place.revoke?() }
    }

    fileprivate func remove(_ place: Place, from host: String) {
        let admitted = state.withLock { state in
            if place.isShared {
                state.hosts[host]?.shared -= 1
            } else if place.revoke == nil {
                state.hosts[host]?.needed -= 1
            } else {
                state.hosts[host]?.further.removeAll { $0 === place }
            }
            let admitted = state.hosts[host]?.admit(state.limit) ?? []
            if state.hosts[host]?.isUnused == true { state.hosts[host] = nil }
            return admitted
        }
        for waiter in admitted { waiter.resume() }
    }
}
