// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge
import TidingsLock

/// One epoch: a connection of the C library that never reconnects.
///
/// All calls that may block run on one serial queue, so that neither a task's thread nor the order
/// of the frames depends on the network. Threads of the library only append to queues.
final class NATSConnection: BridgeConnection {
    /// The parts that exist before the connection, because the callbacks use these parts.
    struct Parts: Sendable {
        let end = ConnectionEnd()
        let requests = RequestTable()
        let window = PublishWindow()
        let readers = ReaderTable()
    }

    let client: ClientConnection
    let parts: Parts
    let space: String
    let configuration: NATSConfiguration
    let inbox: String
    let queue: SendQueue
    private let described = Lock(
        TransportGuarantees(
            acknowledgement: .serverMemory,
            largestFrame: 0,
            duplicateWindow: .zero
        )
    )
    /// The number of frames from which frames may wait for each other.
    ///
    /// The first of so many frames is late anyway.
    private static let manyFrames = 64
    private let lostTransients = Lock(0)
    private let sent = UsedMessages()
    private let inboxes: [ClientSubscription]
    private let watchdog: Watchdog

    /// Subscribes to the inboxes, and blocks the thread.
    init(
        _ client: ClientConnection,
        parts: Parts,
        space: String,
        configuration: NATSConfiguration
    ) throws(TransportError) {
        self.client = client
        self.parts = parts
        self.space = space
        self.configuration = configuration
        inbox = "\(configuration.inboxPrefix).\(RandomName.make())"
        queue = SendQueue(client, parts, answerTimeout: configuration.answerTimeout)
        watchdog = Watchdog(parts)
        do throws(ClientFailure) {
            inboxes = [
                try client.subscribe(to: "\(inbox).a.*", receive: parts.receiveAcknowledgement),
                try client.subscribe(to: "\(inbox).r.*", receive: parts.receiveAnswer),
            ]
        } catch {
            throw TransportError(.lost, "The connection ended while it was set up.")
        }
        parts.end.whenEnded { [watchdog, parts] reason in
            watchdog.stop()
            parts.requests.failAll(reason)
            parts.window.queue.finish(reason)
            parts.readers.finishAll(reason)
        }
    }

    deinit {
        close()
    }

    var guarantees: TransportGuarantees { described.withLock { $0 } }

    var transientLosses: Int {
        lostTransients.withLock { $0 } + parts.readers.losses
    }

    /// Takes over the server's description of the stream.
    func describe(_ settings: StreamSettings) {
        let window = Duration.nanoseconds(settings.duplicateWindow ?? 0)
        let guarantees = TransportGuarantees(
            acknowledgement: settings.acknowledgement,
            largestFrame: client.largestPayload - FrameForm.preamble,
            duplicateWindow: window
        )
        described.withLock { $0 = guarantees }
    }

    func close() {
        parts.end.end(.closed, "The connection was closed.")
        queue.run(.later) { [client] in
            // The call sends the rest of the buffer, such as acknowledgements of a group.
            try? client.flush(within: .milliseconds(500))
            client.close()
        }
    }

    // MARK: - Publishing

    func publish(_ frames: [PublishedFrame]) async throws(TransportError) {
        try parts.end.check()
        parts.window.add(frames)
        let size = frames.reduce(0) { $0 + $1.frame.body.count }
        await queue.run(frames.count < Self.manyFrames ? .soon : .later, size: size) {
            self.publishNow(frames)
        }
        try parts.end.check()
    }

    private func publishNow(_ frames: [PublishedFrame]) {
        let largest = client.largestPayload
        for published in frames {
            if parts.end.reason != nil { return }
            let reply = "\(inbox).a.\(published.row)"
            let message: OutgoingMessage
            do {
                message = try FrameForm.message(
                    of: published.frame,
                    reply: reply,
                    isForStream: true,
                    largest: largest
                )
            } catch {
                parts.window.resolve(published.row, .refused(error))
                continue
            }
            send(message)
            sent.append(message)
        }
    }

    /// Sends a message on the queue.
    ///
    /// A failure ends the connection, because part of the message may have been written.
    func send(_ message: borrowing OutgoingMessage) {
        do throws(ClientFailure) {
            try client.publish(message)
        } catch {
            parts.end(after: error)
        }
    }

    func acknowledgements(
        atMost limit: Int
    ) async throws(TransportError)
        -> [PublishAcknowledgement]
    {
        try await parts.window.queue.take(atMost: limit)
    }

    // MARK: - Transient frames

    func send(_ frames: [BridgeFrame]) async throws(TransportError) {
        try parts.end.check()
        await queue.wait(frames.count < Self.manyFrames ? .soon : .later) { self.sendNow(frames) }
        try parts.end.check()
    }

    private func sendNow(_ frames: [BridgeFrame]) {
        let largest = client.largestPayload
        for frame in frames {
            if parts.end.reason != nil { return }
            do {
                let message = try FrameForm.message(
                    of: frame,
                    reply: frame.replySubject,
                    isForStream: false,
                    largest: largest
                )
                send(message)
                sent.append(message)
            } catch {
                lostTransients.withLock { $0 += 1 }
            }
        }
    }

    func subscribe(
        to filter: SubjectFilter,
        group: String?
    ) async throws(TransportError) -> any FrameReader<BridgeFrame> {
        try parts.end.check()
        let reader = TransientReader(self, filter)
        try await reader.start(group: group)
        return reader
    }
}

extension NATSConnection.Parts {
    /// Ends the connection after a failed call.
    func end(after failure: ClientFailure) {
        switch failure {
        case .timedOut:
            end.end(.overdue, "The network accepts no bytes, or the server does not answer.")
        case .closed: end.end(.lost, "The server or the network has ended the connection.")
        case .unreachable, .authentication, .encryption, .tooLarge, .status:
            end.end(.lost, "The connection failed (\(failure)).")
        }
    }

    /// Receives the answer to a published frame, on a thread of the library.
    var receiveAcknowledgement: @Sendable (borrowing IncomingMessage) -> Void {
        { [window, end] message in
            guard let row = Int(SubjectTokens.last(of: message.subject)) else {
                if message.isLast { window.queue.wake() }
                return
            }
            if message.isWithoutResponder {
                end.end(.overdue, "No server answers for the stream. It may have been deleted.")
                return
            }
            let text = message.withBody { AcknowledgementText($0) }
            if let sequence = text.sequence, !text.isError {
                let outcome = PublishAcknowledgement.Outcome.accepted(
                    sequence: sequence,
                    isDuplicate: text.isDuplicate
                )
                window.resolve(row, outcome, isLast: message.isLast)
            } else {
                let fault = ServerAnswer<Nothing>.fault(in: message.withBody { Data($0) })
                window.resolve(row, .refused(fault.transportError), isLast: message.isLast)
            }
        }
    }

    /// Receives the answer to a request, on a thread of the library.
    var receiveAnswer: @Sendable (borrowing IncomingMessage) -> Void {
        { [requests] message in
            guard let number = Int(SubjectTokens.last(of: message.subject)) else { return }
            if message.isWithoutResponder {
                let error = TransportError(
                    .noStream,
                    "The server does not answer JetStream requests. Enable it."
                )
                requests.resolve(number, .failure(error))
            } else {
                requests.resolve(number, .success(message.withBody { [UInt8]($0) }))
            }
        }
    }

    /// Receives an error that the server reports without naming the frame or the request.
    func receiveFailure(_ text: String) {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3, text.lowercased().hasPrefix("permissions violation") else { return }
        let subject = String(parts[1])
        let error = TransportError(
            .notPermitted,
            "The server does not allow “\(subject)”. Change the permissions."
        )
        if text.lowercased().contains("for publish") {
            window.refuseAll(to: subject, error)
            requests.failAll(to: subject, error)
        } else if !readers.refuse(subject, error) {
            end.end(.notPermitted, error.message)
        }
    }
}

/// The parts of subjects that the transport makes.
enum SubjectTokens {
    static func last(of subject: String) -> Substring {
        subject.utf8.lastIndex(of: UInt8(ascii: ".")).map { subject[subject.index(after: $0)...] }
            ?? subject[...]
    }
}

/// A source of names that no other connection uses.
enum RandomName {
    static func make() -> String {
        let value = UInt128.random(in: .min ... .max)
        return String(value, radix: 36)
    }
}
#endif
