// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tidings

/// The connectivity of this machine, or of the namespace in which the process runs.
///
/// The kernel tells by netlink that something changed, and is then asked for its tables: what was
/// told is not added up, so nothing that was lost on the way makes a difference.
package struct SystemConnectivity: ConnectivitySource {
    /// How long after a change the kernel is asked: one change seldom comes alone.
    static let calm = Duration.milliseconds(100)

    private static let groups =
        Netlink.Group.link | Netlink.Group.addressV4 | Netlink.Group.addressV6
        | Netlink.Group.routeV4 | Netlink.Group.routeV6

    private let clock: any Clock<Duration>

    package init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    package func reports() -> AsyncStream<Result<Connectivity, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                do {
                    try await tell { continuation.yield($0) }
                } catch {
                    continuation.yield(.failure(error))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func tell(_ report: (Result<Connectivity, any Error>) -> Void) async throws {
        // Listens before it asks: no change in between is missed.
        var news = try NetlinkSocket(groups: Self.groups).news().makeAsyncIterator()
        repeat {
            do {
                report(.success(try await offload { () throws(NetlinkError) in try Self.ask() }))
            } catch {
                report(.failure(error))
            }
            guard try await news.next() != nil else { return }
            try await clock.sleep(for: Self.calm)
        } while true
    }

    /// Asks the kernel for its tables; waits for its answers.
    private static func ask() throws(NetlinkError) -> Connectivity {
        let socket = try NetlinkSocket()
        var dump = NetworkDump()
        var step = dump.begin()
        while true {
            switch step {
            case .ask(let question, let sequence):
                try socket.send(question.request(sequence: sequence))
                step = .read
            case .read:
                switch try socket.read(waiting: true) {
                case .datagram(let bytes): step = try dump.receive(bytes)
                case .overrun: step = dump.receiveOverrun()
                case .nothing: throw .unanswered
                }
            case .finished(let connectivity):
                return connectivity
            }
        }
    }
}

extension NetlinkSocket {
    /// So many datagrams at once, and others may use the thread in between.
    private static let datagramsAtOnce = 256

    /// Tells that there is news, until the stream is dropped; many at once are told once.
    fileprivate func news() -> AsyncThrowingStream<Void, any Error> {
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
            // The descriptor stays open until nobody looks at it any more.
            source.setCancelHandler { withExtendedLifetime(self) {} }
            source.resume()
            // Unchecked: all that is done with it is to cancel it, on whatever thread Dispatch is told.
            nonisolated(unsafe) let ended = source
            continuation.onTermination = { _ in ended.cancel() }
        }
    }

    /// Reads what waits, and returns whether it may make a difference.
    private func drain() throws(NetlinkError) -> Bool {
        var isNews = false
        for _ in 0..<Self.datagramsAtOnce {
            do throws(NetlinkError) {
                switch try read(waiting: false) {
                case .datagram(let bytes): isNews = isNews || NetworkRecord.isNews(bytes)
                case .overrun: isNews = true
                case .nothing: return isNews
                }
            } catch .truncated {
                isNews = true
            } catch {
                throw error
            }
        }
        return isNews
    }
}
