// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import TidingsBridge
import TidingsLock

/// Receives transient frames, and drops and counts frames beyond the limits.
final class TransientReader: FrameReader {
    private struct State {
        var subscription: ClientSubscription?
        var number: Int?
        var isClosed = false
    }

    private let connection: NATSConnection
    private let filter: SubjectFilter
    private let queue = CallbackQueue<BridgeFrame>(limit: 16_384, sizeLimit: 32 << 20) { frame in
        frame.body.count + frame.headers.fields.reduce(0) { $0 + $1.value.utf8.count }
    }
    private let state = Lock(State())

    init(_ connection: NATSConnection, _ filter: SubjectFilter) {
        self.connection = connection
        self.filter = filter
    }

    deinit {
        close()
    }

    /// Subscribes, and returns after the server has the subscription.
    func start(group: String?) async throws(TransportError) {
        let subscription = try await connection.subscribeNow(
            to: filter.pattern,
            group: group,
            receive: Self.receiver(into: queue)
        )
        let queue = queue
        let number = connection.parts.readers.add(
            ReaderTable.Entry(
                subject: filter.pattern,
                finish: { queue.finish($0) },
                losses: { queue.dropped + subscription.dropped }
            )
        )
        state.withLock { ($0.subscription, $0.number) = (subscription, number) }
        if let reason = connection.parts.end.reason { queue.finish(reason) }
        try await connection.confirm()
    }

    private static func receiver(
        into queue: CallbackQueue<BridgeFrame>
    ) -> @Sendable (borrowing IncomingMessage) -> Void {
        { message in
            var frame = FrameForm.frame(of: message, subject: message.subject)
            frame.replySubject = message.reply
            if message.isWithoutResponder {
                frame.headers = [:]
                frame.headers[.status] = "no-responder"
            }
            queue.append(frame, isLast: message.isLast)
        }
    }

    func next(atMost limit: Int) async throws(TransportError) -> [BridgeFrame] {
        try await queue.take(atMost: limit)
    }

    func close() {
        let closed = state.withLock { state -> State in
            defer { state = State(isClosed: true) }
            return state
        }
        queue.closeAndDrop()
        if let number = closed.number { connection.parts.readers.remove(number) }
        if let subscription = closed.subscription {
            connection.queue.run(.later) { subscription.end() }
        }
    }
}

extension NATSConnection {
    /// Waits until the server has received everything sent before.
    func confirm() async throws(TransportError) {
        await queue.wait(.later) { [client, parts, configuration] in
            do throws(ClientFailure) {
                try client.flush(within: configuration.answerTimeout)
            } catch {
                parts.end(after: error)
            }
        }
        try parts.end.check()
    }
}
#endif
