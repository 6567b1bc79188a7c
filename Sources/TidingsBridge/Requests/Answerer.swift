// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Answers requests of one type from other processes with the responders of the center.
final class Answerer: Sendable {
    private enum Outcome: Sendable {
        case answered([UInt8])
        case nobody
        case failed(String)
    }

    private let filter: SubjectFilter
    private let name: WireName
    private let origin: String
    private let space: String
    private let answer: @Sendable ([UInt8], BridgeEnvelope, Duration?) async -> Outcome
    private let running = Lock(0)
    private let freed = WakeSignal()
    private let limit = 64

    init<R: BridgedRequest>(
        _ type: R.Type,
        _ parts: EngineParts,
        by bridge: ObjectIdentifier
    ) throws(BridgeError) {
        let (codec, center) = (parts.options.codec, parts.center)
        let wireType = try WireType<R>(codec)
        name = R.wireName
        filter = SubjectFilter(parts.space.requests(R.wireName))
        origin = parts.storage.origin
        space = parts.space.name
        answer = { body, envelope, timeout in
            let request: R
            do throws(BridgeError) {
                request = try wireType.decode(body, version: envelope.version)
            } catch {
                return .failed(error.message)
            }
            do {
                let arrival = Arrival(bridge, envelope)
                let answer = try await BridgeEnvelope.$current.withValue(envelope) {
                    try await Arrival.$current.withValue(arrival) {
                        try await center.answer(to: request, about: arrival, timeout: timeout)
                    }
                }
                guard let answer else { return .nobody }
                return .answered(try codec.encode(answer))
            } catch {
                return .failed("\(error)")
            }
        }
    }

    /// Starts to receive requests over a connection.
    ///
    /// The server gives each request to one process.
    func subscribe(
        over connection: any BridgeConnection
    ) async throws(TransportError) -> any FrameReader<BridgeFrame> {
        try await connection.subscribe(to: filter, group: "tidings")
    }

    /// Answers until the connection ends or the task is cancelled.
    func run(
        _ reader: any FrameReader<BridgeFrame>,
        over connection: any BridgeConnection
    ) async throws(TransportError) {
        defer { reader.close() }
        while !Task.isCancelled {
            for frame in try await reader.next(atMost: 16) {
                while running.withLock({ $0 >= limit }), !Task.isCancelled { await freed.wait() }
                if Task.isCancelled { return }
                running.withLock { $0 += 1 }
                // The end of the connection cancels no responder.
                Task {
                    await reply(to: frame, over: connection)
                    running.withLock { $0 -= 1 }
                    freed.raise()
                }
            }
        }
    }

    private func reply(to frame: BridgeFrame, over connection: any BridgeConnection) async {
        guard let subject = frame.replySubject, mayReply(to: subject) else { return }
        let outcome = await outcome(of: frame)
        var reply = BridgeFrame(subject: subject)
        reply.headers[.origin] = origin
        switch outcome {
        case .answered(let body): reply.body = body
        case .nobody: reply.headers[.status] = ReplyStatus.nobody
        case .failed(let text):
            reply.headers[.status] = ReplyStatus.failed
            reply.body = Array(text.utf8.prefix(16_384))
        }
        let largest = connection.guarantees.largestFrame
        if reply.size > largest {
            let text =
                "The answer to \(name) has \(reply.size) bytes; the server accepts \(largest)."
            reply.headers[.status] = ReplyStatus.tooLarge
            reply.body = Array(text.utf8)
        }
        // If the connection has ended, the asking process reaches the time limit.
        try? await connection.send([reply])
    }

    /// Returns whether a subject leads to an asking program.
    ///
    /// A reply to the server itself, or to the stream of the space, would act with the rights of
    /// this process.
    private func mayReply(to subject: String) -> Bool {
        !subject.hasPrefix("$") && !subject.hasPrefix("\(space).")
    }

    /// Returns how long the asking process waits, or nil without a sensible time.
    private static func timeout(of frame: BridgeFrame) -> Duration? {
        guard let text = frame.headers[.timeout], let milliseconds = Double(text),
            (0...1e12).contains(milliseconds)
        else { return nil }
        return .milliseconds(milliseconds)
    }

    private func outcome(of request: BridgeFrame) async -> Outcome {
        var frame = request
        // The subject names the type, so that another program needs no header.
        if frame.headers[.type] == nil { frame.headers[.type] = name.text }
        do throws(BridgeError) {
            let envelope = try BridgeEnvelope(frame, fallbackID: "", stored: nil)
            guard envelope.type == name.text else { return .failed("The type is another one.") }
            // A transport should not return requests of this process.
            guard envelope.origin != origin else { return .nobody }
            return await answer(frame.body, envelope, Self.timeout(of: frame))
        } catch {
            return .failed(error.message)
        }
    }
}
