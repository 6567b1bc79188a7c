// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The connections of all downloads by host.
///
/// The further connections for one file get places only while a host has fewer connections than the
/// maximum, and give them up when another request needs them. Safe from any thread.
final class HostConnections: Sendable {
    /// The maximum number of connections to a host that has further ones.
    static let maximum = ConnectionCount.maximum

    private let hosts = Lock<[String: Host]>([:])

    private struct Host {
        var needed = 0
        var further: [Place] = []

        var count: Int { needed + further.count }
    }

    /// The place of a connection, until `leave`.
    final class Place: Sendable {
        fileprivate let host: Lock<String?>
        /// Ends the connection; nil if the download needs it.
        fileprivate let revoke: (@Sendable () -> Void)?
        private let connections: HostConnections

        fileprivate init(
            _ connections: HostConnections,
            _ host: String,
            revoke: (@Sendable () -> Void)?
        ) {
            self.connections = connections
            self.host = Lock(host)
            self.revoke = revoke
        }

        /// Counts a needed connection for another host, to which it was redirected.
        func move(to host: String) {
            let old = self.host.withLock { old in
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

    /// Returns a place for a further connection; nil if the host has none.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - revoke: Called, on any thread, when a needed connection takes the place. It ends the
    ///     further one.
    /// - Returns: The place, which the caller leaves in any case; nil if there is none.
    func enterFurther(_ host: String, revoke: @escaping @Sendable () -> Void) -> Place? {
        let place = Place(self, host, revoke: revoke)
        return hosts.withLock { hosts in
            guard hosts[host, default: Host()].count < Self.maximum else { return nil }
            hosts[host, default: Host()].further.append(place)
            return place
        }
    }

    /// Returns the number of further connections that may begin.
    func free(_ host: String) -> Int {
        hosts.withLock { max(0, Self.maximum - ($0[host]?.count ?? 0)) }
    }

    fileprivate func add(_ place: Place, to host: String) {
        let revoked = hosts.withLock { hosts in
            hosts[host, default: Host()].needed += 1
            var revoked: [Place] = []
            while hosts[host, default: Host()].count > Self.maximum,
                let last = hosts[host]?.further.popLast()
            {
                revoked.append(last)
            }
            return revoked
        }
        for place in revoked { place.revoke?() }
    }

    fileprivate func remove(_ place: Place, from host: String) {
        hosts.withLock { hosts in
            if place.revoke == nil {
                hosts[host]?.needed -= 1
            } else {
                hosts[host]?.further.removeAll { $0 === place }
            }
            if hosts[host]?.count == 0 { hosts[host] = nil }
        }
    }
}
