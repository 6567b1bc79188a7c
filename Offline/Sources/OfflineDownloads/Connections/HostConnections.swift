// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The connections of all downloads by host.
///
/// Further connections for one file get places only while a host has fewer connections than the
/// maximum. Such a connection gives up the place when another request needs the place. With a
/// limit, a request waits until the host has fewer connections. A redirect does not wait, but
/// counts. Parts that share an HTTP/2 connection count as one connection. The places are safe to
/// use from any thread.
final class HostConnections: Sendable {
    /// The maximum number of connections to a host that has further connections.
    static let maximum = ConnectionCount.maximum

    private let state = Lock(State())

    private struct State {
        var hosts: [String: Host] = [:]
        /// The maximum number of connections to a host, or nil if needed connections have no
        /// maximum.
        var limit: Int?
        var lastWaiter = 0
        /// The hosts whose last part came over a connection that carries several parts at the same
        /// time.
        var sharing: Set<String> = []

        /// The maximum number of connections to a host that has further connections.
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

        /// Gives free places to waiting requests.
        ///
        /// The caller must resume the returned continuations.
        mutating func admit(_ limit: Int?) -> [CheckedContinuation<Void, any Error>] {
            var admitted: [CheckedContinuation<Void, any Error>] = []
            // A request that could share a connection does not overtake a request that needs a
            // connection of its own.
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

    /// The place of a connection.
    ///
    /// The place is occupied until `leave`.
    final class Place: Sendable {
        fileprivate let host: Lock<String?>
        /// Ends the connection, or is nil if the download needs the connection.
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

        /// Counts a needed connection for another host after a redirect.
        func move(to host: String) {
            // A connection that several requests share stays with the original host.
            let old = self.host.withLock { old in
                if isShared { return String?.none }
                defer { if old != nil { old = host } }
                return old
            }
            guard let old, old != host else { return }
            connections.add(self, to: host)
            connections.remove(self, from: old)
        }

        /// Gives up the place.
        ///
        /// Later calls do nothing.
        func leave() {
            let host = host.withLock { host in
                defer { host = nil }
                return host
            }
            if let host { connections.remove(self, from: host) }
        }
    }

    /// Returns a place for a connection that a download needs, whether or not the host has a free
    /// place.
    func enter(_ host: String) -> Place {
        let place = Place(self, host, revoke: nil)
        add(place, to: host)
        return place
    }

    /// Returns a place for a connection that a download needs.
    ///
    /// A recording does not wait for a place.
    ///
    /// A caller holds no other place during the call, so that two callers cannot wait for each
    /// other.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the request gets a place.
    func enter(_ host: String, isLive: Bool, mayShare: Bool = false) async throws -> Place {
        isLive ? enter(host) : try await waitToEnter(host, mayShare: mayShare)
    }

    /// Returns a place for a further connection, or nil if the host has no free place.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - revoke: Called, on any thread, when a needed connection takes the place. The closure
    ///     must end the further connection.
    /// - Returns: The place, which the caller leaves in any case, or nil if no place is free.
    func enterFurther(_ host: String, revoke: @escaping @Sendable () -> Void) -> Place? {
        let place = Place(self, host, revoke: revoke)
        return state.withLock { state in
            guard state.hosts[host, default: Host()].count < state.maximum else { return nil }
            state.hosts[host, default: Host()].further.append(place)
            return place
        }
    }

    /// Records whether the parts of a host share a connection.
    func setSharing(_ isShared: Bool, of host: String) {
        state.withLock { state in
            if isShared { state.sharing.insert(host) } else { state.sharing.remove(host) }
        }
    }

    /// Returns a place for a connection that a download needs, as soon as the limit permits the
    /// connection.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - mayShare: Whether the request may share a connection with other requests.
    /// - Returns: The place, which the caller leaves.
    /// - Throws: `CancellationError` if the task is cancelled before the request gets a place.
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
                    // A further connection gives up the place for a needed connection.
                    let hasRoom = isShared && entry.shared > 0
                    let revoked = hasRoom ? [] : entry.revoke(above: state.maximum - 1)
                    let admitted = entry.admit(state.limit)
                    state.hosts[host] = entry
                    return (revoked, admitted)
                }
                for place in revoked { place.revoke?() }
                for waiter in admitted { waiter.resume() }
                // The handler below may have run before the request started to wait.
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

    /// Limits the connections to each host from now on.
    ///
    /// With nil, only further connections have a limit.
    ///
    /// Further connections above the limit end immediately. The other connections end with their
    /// requests.
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

    /// The maximum number of connections to a host, or nil if needed connections have no maximum.
    var limit: Int? { state.withLock { $0.limit } }

    /// Returns the number of further connections that may start.
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
