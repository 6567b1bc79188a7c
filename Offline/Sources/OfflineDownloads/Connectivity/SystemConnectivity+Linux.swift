// SPDX-License-Identifier: Apache-2.0
import Dispatch
import OfflineMedia

/// The connectivity of this machine, or of the network namespace in which the process runs.
///
/// Netlink notifications only trigger a new query of the kernel's complete tables. The source does
/// not accumulate the content of notifications, so a lost notification does no harm.
package struct SystemConnectivity: ConnectivitySource {
    /// The delay between a notification and the query.
    ///
    /// Changes usually come in bursts.
    static let settleDelay = Duration.milliseconds(100)

    private static let groups =
        Netlink.MulticastGroup.link | Netlink.MulticastGroup.addressV4
        | Netlink.MulticastGroup.addressV6 | Netlink.MulticastGroup.routeV4
        | Netlink.MulticastGroup.routeV6

    private let clock: any Clock<Duration>

    /// Creates a source whose delay after a notification runs on `clock`.
    package init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Returns the current connectivity, followed by the connectivity after each change.
    ///
    /// The stream ends with a failure if the process cannot receive the kernel's notifications.
    package func updates() -> AsyncStream<Result<Connectivity, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                do {
                    try await follow { continuation.yield($0) }
                } catch {
                    continuation.yield(.failure(error))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ yield: (Result<Connectivity, any Error>) -> Void) async throws {
        // Subscribe before the first query, so that no change in between is missed.
        var changes = try NetlinkSocket(groups: Self.groups).changes().makeAsyncIterator()
        repeat {
            do {
                let connectivity = try await performBlocking { () throws(NetlinkError) in
                    try Self.query()
                }
                yield(.success(connectivity))
            } catch {
                yield(.failure(error))
            }
            guard try await changes.next() != nil else { return }
            try await clock.sleep(for: Self.settleDelay)
        } while true
    }

    /// Requests the kernel's tables and blocks until the last reply.
    private static func query() throws(NetlinkError) -> Connectivity {
        let socket = try NetlinkSocket()
        var query = NetworkQuery()
        var step = query.begin()
        while true {
            switch step {
            case .request(let table, let sequence):
                try socket.send(table.request(sequence: sequence))
                step = .read
            case .read:
                switch try socket.read(waiting: true) {
                case .datagram(let bytes): step = try query.receive(bytes)
                case .overrun: step = query.receiveOverrun()
                case .nothing: throw .timedOut
                }
            case .finished(let connectivity):
                return connectivity
            }
        }
    }
}

extension NetlinkSocket {
    /// The largest number of datagrams that one call of the handler reads before the handler yields
    /// the thread.
    private static let datagramsPerBatch = 256

    /// Returns a stream with an element for each batch of relevant notifications.
    ///
    /// Elements that the caller has not consumed coalesce into one. Releasing the stream ends the
    /// notifications.
    fileprivate func changes() -> AsyncThrowingStream<Void, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor,
                queue: DispatchQueue(label: "org.tidings.offline.netlink")
            )
            source.setEventHandler {
                do throws(NetlinkError) {
                    if try self.drain() { continuation.yield() }
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // The descriptor must stay open until Dispatch no longer monitors it.
            source.setCancelHandler { withExtendedLifetime(self) {} }
            source.resume()
            // Unchecked: the closure only cancels the source, which Dispatch allows on any thread.
            nonisolated(unsafe) let cancellable = source
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }

    /// Reads the pending datagrams and returns whether one of them may affect the connectivity.
    private func drain() throws(NetlinkError) -> Bool {
        var isRelevant = false
        for _ in 0..<Self.datagramsPerBatch {
            do throws(NetlinkError) {
                switch try read(waiting: false) {
                case .datagram(let bytes):
                    isRelevant = isRelevant || NetworkRecord.mayAffectConnectivity(bytes)
                case .overrun: isRelevant = true
                case .nothing: return isRelevant
                }
            } catch .truncated {
                isRelevant = true
            } catch {
                throw error
            }
        }
        return isRelevant
    }
}
