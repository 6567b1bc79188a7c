// SPDX-License-Identifier: Apache-2.0
import TidingsBridge
import TidingsLock

/// A connection to a server in memory.
final class InMemoryConnection: BridgeConnection {
    private struct State {
        var end: TransportError?
        var lastReader = 0
        var signals: [Int: WakeSignal] = [:]
        var subscriptions: [Int: InMemorySubscription] = [:]
        var losses = 0
    }

    let server: InMemoryServer
    let space: String
    let number: Int
    let guarantees: TransportGuarantees
    private let acknowledged = FrameQueue<PublishAcknowledgement>()
    private let state = Lock(State())

    init(
        _ server: InMemoryServer,
        _ space: String,
        _ number: Int,
        _ guarantees: TransportGuarantees
    ) {
        self.server = server
        self.space = space
        self.number = number
        self.guarantees = guarantees
    }

    deinit { close() }

    var transientLosses: Int { state.withLock { $0.losses } }

    func publish(_ frames: [PublishedFrame]) async throws(TransportError) {
        try check()
        let outcomes = server.state.withLock { state in
            frames.compactMap { frame in
                state.store(frame.frame, in: space).map {
                    PublishAcknowledgement(row: frame.row, $0)
                }
            }
        }
        _ = acknowledged.append(outcomes)
        server.wakeReaders(of: space)
    }

    func acknowledgements(
        atMost limit: Int
    ) async throws(TransportError) -> [PublishAcknowledgement] {
        try await acknowledged.next(atMost: limit)
    }

    func stream() async throws(TransportError) -> StreamState {
        try check()
        return server.state.withLock { $0.streams[space, default: ServerStream(name: space)].facts }
    }

    func frame(at sequence: UInt64) async throws(TransportError) -> StoredFrame? {
        try check()
        return server.state.withLock { state in
            guard let stream = state.streams[space] else { return nil }
            let index = stream.index(of: sequence)
            guard index < stream.frames.count, stream.frames[index].sequence == sequence else {
                return nil
            }
            return stream.frames[index]
        }
    }

    func newestFrame(of subject: String) async throws(TransportError) -> StoredFrame? {
        try check()
        return server.state.withLock {
            $0.streams[space]?.frames.last { $0.frame.subject == subject }
        }
    }

    func read(
        from start: StreamStart,
        _ filter: SubjectFilter
    ) async throws(TransportError) -> any FrameReader<StoredFrame> {
        try check()
        let next = server.state.withLock { $0.streams[space]?.sequence(of: start) ?? 1 }
        return InMemoryReader(self, filter, from: next)
    }

    func share(_ group: SharedGroup) async throws(TransportError) -> any SharedReader {
        try check()
        let key = GroupKey(space: space, group: group.name)
        server.state.withLock { state in
            guard state.groups[key] == nil else { return }
            state.groups[key] = ServerGroup(
                filter: group.filter,
                limit: group.workLimit,
                next: state.streams[space]?.sequence(of: group.start) ?? 1
            )
        }
        return InMemorySharedReader(self, key)
    }

    func send(_ frames: [BridgeFrame]) async throws(TransportError) {
        try check()
        for frame in frames { deliver(frame) }
    }

    func subscribe(
        to filter: SubjectFilter,
        group: String?
    ) async throws(TransportError) -> any FrameReader<BridgeFrame> {
        try check()
        let id = state.withLock { state in
            state.lastReader += 1
            return state.lastReader
        }
        let queue = FrameQueue<BridgeFrame>(limit: 10_000) { [weak self] unread in
            self?.state.withLock { state in
                state.subscriptions[id] = nil
                state.losses += unread
            }
        }
        let subscription = InMemorySubscription(filter: filter, group: group, queue: queue)
        state.withLock { $0.subscriptions[id] = subscription }
        return queue
    }

    func close() {
        server.state.withLock { $0.connections[number] = nil }
        end(TransportError(.closed, "The connection was closed."))
    }

    /// Ends the connection and keeps the first reason.
    func end(_ error: TransportError) {
        let (signals, subscriptions) = state.withLock { state in
            if state.end == nil { state.end = error }
            return (Array(state.signals.values), Array(state.subscriptions.values))
        }
        acknowledged.end(error)
        for signal in signals { signal.raise() }
        for subscription in subscriptions { subscription.queue?.end(error) }
        server.wakeReaders(of: space)
    }

    func check() throws(TransportError) {
        if let end = state.withLock({ $0.end }) { throw end }
    }

    // MARK: Readers

    func addReader(_ signal: WakeSignal) -> Int {
        state.withLock { state in
            state.lastReader += 1
            state.signals[state.lastReader] = signal
            return state.lastReader
        }
    }

    func removeReader(_ id: Int) {
        _ = state.withLock { $0.signals.removeValue(forKey: id) }
    }

    func wakeReaders() {
        for signal in state.withLock({ Array($0.signals.values) }) { signal.raise() }
    }

    // MARK: Transient frames

    var subscriptions: [InMemorySubscription] {
        state.withLock { Array($0.subscriptions.values) }
    }

    private func deliver(_ frame: BridgeFrame, isFromServer: Bool = false) {
        let (connections, turn) = server.state.withLock { state in
            state.turn += 1
            let connections = state.connections.sorted { $0.key < $1.key }
            return (connections.compactMap(\.value.connection), state.turn)
        }
        var members: [String: [(InMemoryConnection, InMemorySubscription)]] = [:]
        var receivers = 0
        for connection in connections where connection !== self || isFromServer {
            for entry in connection.subscriptions where entry.filter.matches(frame.subject) {
                receivers += 1
                if let group = entry.group {
                    members[group, default: []].append((connection, entry))
                } else {
                    connection.receive(frame, by: entry)
                }
            }
        }
        for list in members.values {
            let (connection, entry) = list[turn % list.count]
            connection.receive(frame, by: entry)
        }
        guard receivers == 0, let reply = frame.replySubject else { return }
        let answer = BridgeFrame(subject: reply, headers: ["Tidings-Status": "no-responder"])
        deliver(answer, isFromServer: true)
    }

    private func receive(_ frame: BridgeFrame, by entry: InMemorySubscription) {
        let lost = entry.queue?.append([frame]) ?? 0
        if lost > 0 { state.withLock { $0.losses += lost } }
    }
}

/// A subscription to transient frames, whose reader owns the queue.
struct InMemorySubscription {
    let filter: SubjectFilter
    let group: String?
    weak var queue: FrameQueue<BridgeFrame>?
}
