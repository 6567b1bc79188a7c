// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Sends the requests of this process and receives the replies, over one connection after another.
final class Requester: Sendable {
    private struct State {
        /// The size of the largest frame of the connection, or nil without a connection.
        var largest: Int?
        var waiting: [String: Answer<BridgeFrame>] = [:]
        var unsent: [BridgeFrame] = []
    }

    private let space: Space
    private let origin: String
    private let time: Timeline
    private let state = Lock(State())
    private let wake = WakeSignal()

    init(_ parts: EngineParts) {
        space = parts.space
        origin = parts.storage.origin
        time = parts.time
    }

    /// Takes requests from now on, because there is a connection.
    func open(_ connection: any BridgeConnection) {
        let largest = connection.guarantees.largestFrame
        state.withLock { $0.largest = largest }
    }

    /// Asks the process that the server chooses.
    ///
    /// - Returns: The body of the reply.
    func ask(
        _ message: AnyBridgedMessage,
        timeout: Duration
    ) async throws(BridgeError) -> [UInt8] {
        // The number cannot be guessed, and differs from every number of an earlier run.
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let frame = try frame(of: message, number, timeout)
        let answer = Answer<BridgeFrame>()
        let isTaken = state.withLock { state in
            guard state.largest != nil else { return false }
            state.waiting[number] = answer
            state.unsent.append(frame)
            return true
        }
        guard isTaken else { throw Self.notConnected("The bridge is not connected.") }
        wake.raise()
        defer { state.withLock { _ = $0.waiting.removeValue(forKey: number) } }
        let timer = Task { [time] in
            await time.sleep(for: timeout)
            let error = BridgeError(
                .timedOut,
                "\(message.name) was not answered within \(timeout). Wait longer, or ask again."
            )
            answer.settle(.failure(error))
        }
        defer { timer.cancel() }
        let outcome = await answer.outcome {
            answer.settle(.failure(BridgeError(.closed, "The task was cancelled.")))
        }
        switch outcome {
        case .success(let reply): return try Self.body(of: reply, to: message.name)
        case .failure(let error): throw error as? BridgeError ?? BridgeError(.remote, "\(error)")
        }
    }

    private func frame(
        of message: AnyBridgedMessage,
        _ number: String,
        _ timeout: Duration
    ) throws(BridgeError) -> BridgeFrame {
        var headers = message.headers(
            origin: origin,
            id: "\(origin)-q\(number)",
            hops: 1,
            trace: BridgeEnvelope.current?.traceContext
        )
        headers[.timeout] = "\(max(timeout / .milliseconds(1), 0).rounded(.up))"
        let frame = BridgeFrame(
            subject: space.requests(message.name),
            headers: headers.withoutLineBreaks,
            body: try message.encode(),
            replySubject: space.replies(to: origin, number: number)
        )
        guard let largest = state.withLock({ $0.largest }) else {
            throw Self.notConnected("The bridge is not connected.")
        }
        guard frame.size <= largest else {
            throw BridgeError(
                .tooLarge,
                "\(message.name) has \(frame.size) bytes; the server accepts \(largest). Send less."
            )
        }
        return frame
    }

    private static func body(
        of reply: BridgeFrame,
        to name: WireName
    ) throws(BridgeError) -> [UInt8] {
        switch reply.headers[.status] {
        case nil: return reply.body
        case ReplyStatus.nobody:
            throw BridgeError(
                .noResponder,
                "No process answers \(name). Start one whose bridge has a crossing that answers it "
                    + "and whose center has a responder."
            )
        case ReplyStatus.tooLarge:
            throw BridgeError(.tooLarge, String(decoding: reply.body, as: UTF8.self))
        default: throw BridgeError(.remote, String(decoding: reply.body, as: UTF8.self))
        }
    }

    private static func notConnected(_ fault: String) -> BridgeError {
        BridgeError(.notConnected, "\(fault) Wait until its status shows a connection.")
    }

    /// Sends and receives until the connection ends or the task is cancelled.
    func run(over connection: any BridgeConnection) async throws(TransportError) {
        defer { close() }
        // A process that asks nothing needs no subscription, and no permission to subscribe.
        while state.withLock({ $0.unsent.isEmpty }), !Task.isCancelled { await wake.wait() }
        if Task.isCancelled { return }
        let filter = SubjectFilter(space.replies(to: origin, number: "*"))
        let reader = try await connection.subscribe(to: filter, group: nil)
        defer { reader.close() }
        try await race([
            { try await self.send(over: connection) },
            { try await self.receive(from: reader) },
        ])
    }

    private func send(over connection: any BridgeConnection) async throws(TransportError) {
        while !Task.isCancelled {
            let frames = state.withLock { state in
                defer { state.unsent = [] }
                return state.unsent
            }
            if frames.isEmpty {
                await wake.wait()
            } else {
                try await connection.send(frames)
            }
        }
    }

    private func receive(
        from reader: any FrameReader<BridgeFrame>
    ) async throws(TransportError) {
        while !Task.isCancelled {
            for frame in try await reader.next(atMost: 64) {
                guard let dot = frame.subject.lastIndex(of: ".") else { continue }
                let number = String(frame.subject[frame.subject.index(after: dot)...])
                state.withLock { $0.waiting.removeValue(forKey: number) }?.settle(.success(frame))
            }
        }
    }

    private func close() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        let error = Self.notConnected(
            "The connection ended before the reply; the request may have been answered."
        )
        for answer in waiting.values { answer.settle(.failure(error)) }
    }
}

/// The values of the status header of a reply, which a successful reply does not have.
enum ReplyStatus {
    static let nobody = "no-responder"
    static let tooLarge = "too-large"
    static let failed = "failed"
}

extension BridgeFrame {
    /// The bytes of the headers and the body.
    var size: Int {
        headers.fields.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}
