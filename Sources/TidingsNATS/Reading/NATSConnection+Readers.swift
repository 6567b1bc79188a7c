// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
internal import TidingsBridge

extension NATSConnection {
    func read(
        from start: StreamStart,
        _ filter: SubjectFilter
    ) async throws(TransportError) -> any FrameReader<StoredFrame> {
        let reader = PullReader(self, .cursor(filter), from: start)
        try await reader.prepare()
        return CursorReader(reader)
    }

    func share(_ group: SharedGroup) async throws(TransportError) -> any SharedReader {
        let reader = PullReader(self, .group(group), from: group.start)
        try await reader.prepare()
        return GroupReader(reader, self)
    }

    /// Creates a consumer and compares the settings with the server's answer.
    func create(_ settings: ConsumerSettings) async throws(TransportError) -> ConsumerDescription {
        struct Creation: Encodable, Sendable {
            let streamName: String
            let config: ConsumerSettings
        }
        let kind = settings.durableName == nil ? "CREATE" : "DURABLE.CREATE"
        let call = "CONSUMER.\(kind).\(space).\(settings.name ?? "")"
        let body = Creation(streamName: space, config: settings)
        switch try await ask(call, body, for: ConsumerDescription.self) {
        case .success(let consumer):
            let differences = settings.differences(from: consumer.config)
            guard differences.isEmpty else {
                throw TransportError(
                    .other,
                    "The server has made the consumer without: \(differences.joined(separator: ", "))."
                        + " Update it."
                )
            }
            return consumer
        case .failure(let fault):
            throw fail(fault)
        }
    }

    /// Finds or creates the consumer of a group, and sets a changed time limit.
    func join(_ group: SharedGroup) async throws(TransportError) -> ConsumerDescription {
        var settings = ConsumerSettings(group)
        let call = "CONSUMER.INFO.\(space).\(group.name)"
        switch try await ask(call, for: ConsumerDescription.self) {
        case .success(let consumer):
            let found = consumer.config
            guard found.filterSubject == settings.filterSubject, found.ackPolicy == "explicit"
            else {
                throw TransportError(
                    .other,
                    "The group \(group.name) exists with other subjects. Rename it."
                )
            }
            if found.ackWait == settings.ackWait { return consumer }
            // The first member decided where the group starts.
            (settings.deliverPolicy, settings.optStartSeq, settings.optStartTime) =
                (found.deliverPolicy, found.optStartSeq, found.optStartTime)
            return try await create(settings)
        case .failure(let fault) where fault.errCode == ServerFault.noConsumer:
            return try await create(settings)
        case .failure(let fault):
            throw fail(fault)
        }
    }

    /// Subscribes on the queue of the connection.
    func subscribeNow(
        to subject: String,
        group: String? = nil,
        receive: @escaping @Sendable (borrowing IncomingMessage) -> Void
    ) async throws(TransportError) -> ClientSubscription {
        let result: Result<ClientSubscription, ClientFailure> =
            await withCheckedContinuation { continuation in
                queue.run(.later) { [client] in
                    do throws(ClientFailure) {
                        let subscription = try client.subscribe(
                            to: subject,
                            group: group,
                            receive: receive
                        )
                        continuation.resume(returning: .success(subscription))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        switch result {
        case .success(let subscription): return subscription
        case .failure(let failure):
            try parts.end.check()
            if case .closed = failure {
                throw TransportError(.lost, "The connection has ended.")
            }
            throw TransportError(.malformed, "The subjects “\(subject)” are invalid (\(failure)).")
        }
    }
}

/// Reads stored frames from a position.
private final class CursorReader: FrameReader {
    private let reader: PullReader

    init(_ reader: PullReader) { self.reader = reader }

    func next(atMost limit: Int) async throws(TransportError) -> [StoredFrame] {
        try await reader.next(atMost: limit).map(\.stored)
    }

    func close() {
        reader.close()
    }
}

/// Reads stored frames together with other connections.
private final class GroupReader: SharedReader {
    private let reader: PullReader
    private let connection: NATSConnection

    init(_ reader: PullReader, _ connection: NATSConnection) {
        self.reader = reader
        self.connection = connection
    }

    deinit {
        close()
    }

    func next(atMost limit: Int) async throws(TransportError) -> [SharedFrame] {
        try await reader.next(atMost: limit)
    }

    func acknowledge(_ tickets: [String]) async throws(TransportError) {
        try connection.parts.end.check()
        for ticket in tickets { connection.post("+ACK", to: ticket) }
    }

    func retry(
        _ ticket: String,
        after pause: Duration
    ) async throws(TransportError) {
        try connection.parts.end.check()
        let text = pause > .zero ? "-NAK {\"delay\": \(pause.nanoseconds)}" : "-NAK"
        connection.post(text, to: ticket)
    }

    func extend(_ ticket: String) async throws(TransportError) {
        try connection.parts.end.check()
        connection.post("+WPI", to: ticket)
    }

    func close() {
        // Another member can immediately take the frames that this member has not returned.
        for frame in reader.close() { connection.post("-NAK", to: frame.ticket) }
    }
}
#endif
