// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import Foundation
internal import TidingsBridge
import TidingsLock

/// Fetches the frames of one consumer in batches.
///
/// The consumer of a cursor acknowledges nothing. This side keeps the next sequence, and makes a
/// new consumer there when the server has forgotten the old consumer or a delivery is missing.
final class PullReader: Sendable {
    /// The kinds of consumers.
    enum Source: Sendable {
        case cursor(SubjectFilter)
        case group(SharedGroup)
    }

    private struct State {
        var name: String?
        var subscription: ClientSubscription?
        var entry: Int?
        var start: StreamStart
        var generation = 0
        var outstanding = 0
        var lastDelivery: UInt64 = 0
        var newConsumers = 0
        var waitingSince: ContinuousClock.Instant?
        var isClosed = false

        /// Makes the next call create a consumer at the next sequence, and ignores the old
        /// consumer.
        mutating func loseConsumer() {
            name = nil
            generation += 1
            newConsumers += 1
        }
    }

    private typealias Event = (generation: Int, event: PullEvent)

    private static let heartbeat = Duration.milliseconds(500)
    private static let expiry = Duration.seconds(20)

    private let connection: NATSConnection
    private let source: Source
    private let queue = CallbackQueue<Event>()
    private let state: Lock<State>

    init(_ connection: NATSConnection, _ source: Source, from start: StreamStart) {
        self.connection = connection
        self.source = source
        state = Lock(State(start: start))
    }

    deinit {
        close()
    }

    // MARK: - The consumer

    /// Creates the consumer or finds the consumer of the group, and subscribes to the deliveries.
    func prepare() async throws(TransportError) {
        let name: String
        switch source {
        case .cursor(let filter):
            let start = state.withLock { $0.start }
            let settings = ConsumerSettings(
                reading: filter,
                from: start,
                name: "tidings-\(RandomName.make())"
            )
            let consumer = try await connection.create(settings)
            name = consumer.name
            let delivered = min(consumer.delivered.streamSeq, StoredFrame.largestSequence)
            // The sequence is stored now, so that a later consumer of this reader starts at the
            // same place.
            state.withLock { $0.start = .sequence(delivered + 1) }
        case .group(let group):
            name = try await connection.join(group).name
        }
        try await subscribe(to: name)
    }

    private func subscribe(to name: String) async throws(TransportError) {
        let generation = state.withLock { state in
            state.generation += 1
            return state.generation
        }
        let inbox = "\(connection.inbox).p.\(name)-\(generation)"
        let hasTickets = if case .group = source { true } else { false }
        let receive: @Sendable (borrowing IncomingMessage) -> Void = { [queue] message in
            if let event = PullEvent(message, hasTicket: hasTickets) {
                queue.append((generation, event), isLast: message.isLast)
            } else if message.isLast {
                queue.wake()
            }
        }
        let subscription = try await connection.subscribeNow(to: inbox, receive: receive)
        let entry = connection.parts.readers.add(
            ReaderTable.Entry(
                subject: inbox,
                finish: { [queue] in queue.finish($0) },
                isSilent: { [weak self] in self?.isSilent(at: $0) ?? false }
            )
        )
        let old = state.withLock { state in
            let old = (state.subscription, state.entry)
            (state.name, state.subscription, state.entry) = (name, subscription, entry)
            (state.outstanding, state.lastDelivery) = (0, 0)
            return old
        }
        end(old.0, entry: old.1)
        // The end may have come before the entry was added.
        if let reason = connection.parts.end.reason { queue.finish(reason) }
    }

    private func end(_ subscription: ClientSubscription?, entry: Int?) {
        if let entry { connection.parts.readers.remove(entry) }
        if let subscription { connection.queue.run(.later) { subscription.end() } }
    }

    private func isSilent(at time: ContinuousClock.Instant) -> Bool {
        guard let since = state.withLock({ $0.waitingSince }) else { return false }
        return time - since > connection.configuration.silence && queue.isEmpty
    }

    // MARK: - Reading

    /// Waits for frames, and returns none only if the reader was closed or the task cancelled.
    func next(atMost limit: Int) async throws(TransportError) -> [SharedFrame] {
        while true {
            if state.withLock({ $0.isClosed }) { return [] }
            if state.withLock({ $0.name == nil }) { try await prepare() }
            request(limit)
            state.withLock { $0.waitingSince = .now }
            defer { state.withLock { $0.waitingSince = nil } }
            let events = try await queue.take(atMost: limit)
            if events.isEmpty { return [] }
            let frames = try take(events)
            if !frames.isEmpty { return frames }
        }
    }

    /// Requests frames.
    ///
    /// A cursor requests up to two batches ahead. A group requests one frame at a time, because
    /// other members cannot get a frame that waits here while this process works on another frame.
    private func request(_ limit: Int) {
        let (name, generation, requests) = state.withLock { state -> (String?, Int, [Int]) in
            var requests: [Int] = []
            switch source {
            case .cursor:
                while state.outstanding <= limit {
                    requests.append(limit)
                    state.outstanding += limit
                }
            case .group:
                if state.outstanding == 0 { requests.append(1) }
                state.outstanding = max(1, state.outstanding)
            }
            return (state.name, state.generation, requests)
        }
        guard let name else { return }
        for batch in requests {
            let body = PullRequest(
                batch: batch,
                expires: Self.expiry.nanoseconds,
                idleHeartbeat: Self.heartbeat.nanoseconds,
                maxBytes: max(4 << 20, 2 * connection.client.largestPayload)
            )
            connection.post(
                NATSConnection.json(body),
                to: "$JS.API.CONSUMER.MSG.NEXT.\(connection.space).\(name)",
                replyTo: "\(connection.inbox).p.\(name)-\(generation)"
            )
        }
    }

    /// Returns the number of frames that are still to come after the end of a request.
    ///
    /// - Parameters:
    ///   - count: The number of frames that were to come before the end.
    ///   - rest: The number of frames that the request did not get, or nil if the server does not
    ///     report the number. The server may report any number.
    /// - Returns: A number from 0 to `count`.
    static func outstanding(_ count: Int, without rest: Int?) -> Int {
        guard let rest, (0...count).contains(rest) else { return 0 }
        return count - rest
    }

    private func take(_ events: [Event]) throws(TransportError) -> [SharedFrame] {
        var frames: [SharedFrame] = []
        frames.reserveCapacity(events.count)
        let fault = state.withLock { state -> TransportError? in
            for (generation, event) in events where generation == state.generation {
                switch event {
                case .frame(let frame, let delivery):
                    state.outstanding = max(0, state.outstanding - 1)
                    if case .cursor = source {
                        guard delivery == state.lastDelivery &+ 1 else {
                            state.loseConsumer()
                            continue
                        }
                        state.start = .sequence(frame.stored.sequence + 1)
                    }
                    state.lastDelivery = delivery
                    state.newConsumers = 0
                    frames.append(frame)
                case .status(100, _, _): break
                case .status(let code, let text, let rest):
                    let isGone = code == 503 || text.lowercased().contains("consumer deleted")
                    state.outstanding = Self.outstanding(state.outstanding, without: rest)
                    guard isGone else { continue }
                    if case .group(let group) = source {
                        return TransportError(
                            .lost,
                            "The consumer of the group \(group.name) was deleted."
                        )
                    }
                    state.loseConsumer()
                    guard state.newConsumers < 5 else {
                        return TransportError(.other, "The server forgets each new consumer.")
                    }
                }
            }
            return nil
        }
        if let fault {
            connection.parts.end.end(fault.code, fault.message)
            if frames.isEmpty { try connection.parts.end.check() }
        }
        return frames
    }

    /// Ends the reading, and returns the frames that were fetched but not taken.
    @discardableResult
    func close() -> [SharedFrame] {
        let closed = state.withLock { state -> State? in
            if state.isClosed { return nil }
            let copy = state
            state.isClosed = true
            (state.subscription, state.entry) = (nil, nil)
            return copy
        }
        guard let closed else { return [] }
        end(closed.subscription, entry: closed.entry)
        if case .cursor = source, let name = closed.name {
            connection.post("", to: "$JS.API.CONSUMER.DELETE.\(connection.space).\(name)")
        }
        return queue.close().compactMap { element in
            guard case .frame(let frame, _) = element.event else { return nil }
            return element.generation == closed.generation ? frame : nil
        }
    }
}
#endif
