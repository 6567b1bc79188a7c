// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// Reads the stored messages of one type over one connection after another.
final class Subscription: Sendable {
    let inlet: Inlet
    let storage: BridgeStorage
    let time: Timeline
    private let filter: SubjectFilter
    let retry: RetryPlan
    let hopLimit: Int
    let center: ObjectIdentifier
    let state: Lock<ReadState>
    let counts = Lock(SubscriptionStatus())
    /// The group with which this process shares the messages, or nil to handle all messages.
    private let group: SharedGroup?
    let isClosing = Lock(false)
    /// Raised when a message was parked or a dead letter was revived.
    let parking = WakeSignal()
    /// The outcome of handlers that the storage has not taken yet.
    ///
    /// No further message is handled before that.
    let unstored = Lock<(id: String, outcome: Inlet.Outcome)?>(nil)
    /// The last move that the storage has not taken.
    ///
    /// The move has no effect once the storage has taken a later move.
    private let unstoredMove = Lock<(from: Cursor?, to: Cursor)?>(nil)
    /// The delivery in progress, which outlives its connection.
    let delivery = Lock<Task<Void, Never>?>(nil)
    let noteChange: @Sendable () -> Void
    private let prefetch = 256

    init(
        _ inlet: Inlet,
        _ parts: EngineParts,
        start: StreamStart,
        _ group: SharedGroup? = nil,
        noteChange: @escaping @Sendable () -> Void
    ) {
        self.inlet = inlet
        storage = parts.storage
        time = parts.time
        filter = parts.space.allStored(inlet.name)
        retry = parts.options.retry
        hopLimit = parts.options.hopLimit
        center = ObjectIdentifier(parts.center)
        state = Lock(
            ReadState(
                subscription: inlet.name.text,
                start: start,
                policy: parts.options.gapPolicy
            )
        )
        self.group = group
        self.noteChange = noteChange
    }

    var name: String { inlet.name.text }

    /// The progress of the reading so far.
    var status: SubscriptionStatus { counts.withLock { $0 } }

    /// Reads until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - connection: A new connection.
    ///   - didProgress: Called with each batch of frames.
    /// - Throws: The end of the connection.
    func run(
        over connection: any BridgeConnection,
        didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) {
        // A handler of the last connection may still run. The reading waits for this handler, so
        // that a message is not handled twice at the same time.
        if let last = delivery.withLock({ $0 }) {
            let end = Answer<Result<Void, TransportError>>()
            Task {
                await last.value
                end.settle(.success(.success(())))
            }
            try await outcome(of: end)
        }
        if let group { return try await share(group, over: connection, didProgress) }
        while try await read(over: connection, didProgress) {}
    }

    /// Reads from the position in the plan.
    ///
    /// - Returns: Whether frames were lost during the reading, so that another plan is needed.
    private func read(
        over connection: any BridgeConnection,
        _ didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) -> Bool {
        let position: StreamStart
        switch try await plan(over: connection) {
        case .read(let from, let gap):
            position = from
            if let gap { note(gap, isStopped: false) }
        case .stop(let gap):
            note(gap, isStopped: true)
            return false
        }
        let reader = try await connection.read(from: position, filter)
        let end = ReadingEnd()
        defer {
            end.come()
            reader.close()
        }
        // The end of the connection cancels neither a handler nor the storing of the outcome.
        // Otherwise, the next connection would call the handler again.
        let work = start { [self] in
            do throws(TransportError) {
                return .success(
                    try await read(from: reader, over: connection, until: end, didProgress)
                )
            } catch {
                return .failure(error)
            }
        }
        return try await outcome(of: work)
    }

    /// Handles frames until the reader ends, the reading is over or another plan is needed.
    ///
    /// - Returns: Whether another plan is needed.
    private func read(
        from reader: any FrameReader<StoredFrame>,
        over connection: any BridgeConnection,
        until end: ReadingEnd,
        _ didProgress: @Sendable () -> Void
    ) async throws(TransportError) -> Bool {
        while !end.isOver {
            let batch = try await reader.next(atMost: prefetch)
            if try await mustPlan(before: batch, over: connection) { return true }
            for frame in batch where !end.isOver { try await take(frame, until: end) }
            if !batch.isEmpty { didProgress() }
            noteChange()
        }
        return false
    }

    /// Stores the position of a first start.
    ///
    /// Once the bridge counts as connected, all messages that are stored must arrive. A position
    /// that is taken later would pass over the first messages.
    ///
    /// - Parameter connection: A new connection, over which nothing was read yet.
    /// - Throws: The end of the connection.
    func fixStart(over connection: any BridgeConnection) async throws(TransportError) {
        guard group == nil else { return }
        let cursor = try stored { () throws(BridgeError) in try storage.cursor(of: name) }
        if cursor == nil { _ = try await plan(over: connection) }
    }

    private func plan(
        over connection: any BridgeConnection
    ) async throws(TransportError) -> ReadState.Plan {
        let stream = try await connection.stream()
        let stored = try stored { () throws(BridgeError) in try storage.cursor(of: name) }
        let cursor = unstoredMove.withLock { $0?.from == stored ? $0?.to : nil } ?? stored
        let mark = try await mark(at: cursor?.sequence ?? 0, over: connection, in: stream)
        let plan = state.withLock {
            $0.connect(cursor, to: stream, idAtCursor: mark.isEmpty ? nil : mark)
        }
        // A first start has a position from now on, so that the next start reads the messages that
        // arrive in between.
        if case .read(let start, let gap) = plan, cursor == nil || gap != nil {
            if case .sequence(let first) = start {
                let place = first - min(first, 1)
                let mark = try await self.mark(at: place, over: connection, in: stream)
                try move(from: stored, to: place, id: mark)
            }
        }
        counts.withLock { $0.newest = max(stream.last, $0.position) }
        noteChange()
        return plan
    }

    /// Finds frames that the stream has removed in front of a slow reader.
    ///
    /// - Returns: Whether the policy must decide where to go on. The policy `.fromBeginning` goes
    ///   on with the batch, because a plan takes time, in which a busy stream could lose frames
    ///   again and again.
    private func mustPlan(
        before batch: [StoredFrame],
        over connection: any BridgeConnection
    ) async throws(TransportError) -> Bool {
        guard let first = batch.first else { return false }
        let (position, policy) = state.withLock { ($0.position, $0.policy) }
        guard position > 0, first.sequence > position + 1 else { return false }
        let stream = try await connection.stream()
        counts.withLock { $0.newest = max($0.newest, stream.last) }
        guard stream.first > position + 1, first.sequence >= stream.first else { return false }
        guard policy == .fromBeginning else { return true }
        let gap = StreamGap(
            kind: .removed,
            subscription: name,
            cursor: position,
            extent: stream.first <= stream.last ? stream.first...stream.last : nil,
            size: stream.first - position - 1
        )
        note(gap, isStopped: false)
        return false
    }

    /// Starts work in a separate task, one task at a time.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Result<Value, TransportError>
    ) -> Answer<Result<Value, TransportError>> {
        let answer = Answer<Result<Value, TransportError>>()
        let task = Task { _ = answer.settle(.success(await body())) }
        delivery.withLock { $0 = task }
        return answer
    }

    /// Waits for work that goes on if the waiting task is cancelled.
    ///
    /// A slow handler therefore does not keep the bridge from the next connection.
    func outcome<Value: Sendable>(
        of answer: Answer<Result<Value, TransportError>>
    ) async throws(TransportError) -> Value {
        let cancelled = TransportError(.closed, "The reading was cancelled.")
        let outcome = await answer.outcome { [self] in
            // At the end of the bridge, shared work is still acknowledged over its connection.
            if group != nil, isClosing.withLock({ $0 }) { return }
            answer.settle(.success(.failure(cancelled)))
        }
        guard case .success(let result) = outcome else { throw cancelled }
        return try result.get()
    }

    /// Lets the work in progress end over its connection.
    func prepareToClose() {
        isClosing.withLock { $0 = true }
    }

    /// Waits for the handlers in progress.
    func finishDelivery() async {
        await delivery.withLock { $0 }?.value
    }

    func death(
        of frame: StoredFrame,
        id: String,
        _ error: BridgeError,
        attempts: Int
    ) -> Death {
        Death(
            subscription: name,
            id: id,
            code: error.code,
            cause: error.message,
            attempts: attempts,
            stored: frame.time,
            frame: frame.frame
        )
    }

    // MARK: Parts

    /// Returns the id of a frame, or the place in the stream for a frame of another program.
    func id(of stored: StoredFrame, in stream: StreamState?) -> String {
        if let id = stored.frame.headers.id, !id.isEmpty { return id }
        // The time is included, because a stream that went back stores other frames at the same
        // places.
        let place = "\(stream?.name ?? "")/\(stream?.incarnation ?? "")/\(stored.sequence)"
        return "\(place)/\(Self.time(of: stored))"
    }

    /// Returns the string by which a cursor recognizes a frame.
    ///
    /// The string includes the time, because a sender may store the same message at the same place
    /// of a stream that went back, behind another message.
    func mark(of stored: StoredFrame, id: String) -> String {
        "\(id) \(Self.time(of: stored))"
    }

    /// Returns the mark of the frame at a place, or an empty string without a frame there.
    private func mark(
        at sequence: UInt64,
        over connection: any BridgeConnection,
        in stream: StreamState
    ) async throws(TransportError) -> String {
        guard sequence > 0, sequence <= stream.last,
            let stored = try await connection.frame(at: sequence)
        else { return "" }
        return mark(of: stored, id: id(of: stored, in: stream))
    }

    /// The time of a frame in microseconds, on which the transports agree.
    private static func time(of stored: StoredFrame) -> Int {
        Int(exactly: (stored.time.timeIntervalSince1970 * 1e6).rounded()) ?? 0
    }

    /// Moves the cursor to a place without a message.
    ///
    /// While the disk is full, the cursor moves only in memory, because a full disk must not end
    /// the connection of the publisher.
    private func move(
        from stored: Cursor?,
        to sequence: UInt64,
        id: String
    ) throws(TransportError) {
        guard let cursor = state.withLock({ $0.cursor(at: sequence, id: id) }) else { return }
        do throws(BridgeError) {
            try storage.settle(nil, of: name, at: cursor)
        } catch {
            guard error.code == .full else {
                return try self.stored { () throws(BridgeError) in throw error }
            }
            unstoredMove.withLock { $0 = (stored, cursor) }
        }
    }

    func move(to cursor: Cursor) throws(TransportError) {
        try stored { () throws(BridgeError) in try storage.settle(nil, of: name, at: cursor) }
    }

    func note(_ gap: StreamGap, isStopped: Bool) {
        counts.withLock {
            $0.gaps = $0.gaps.suffix(9) + [gap]
            $0.isStopped = isStopped
        }
        noteChange()
    }

    /// Stores the outcome of a message.
    ///
    /// After that, other bridges of the center may take the message as done. If the storing fails,
    /// another bridge of the center may take the message.
    ///
    /// - Parameters:
    ///   - id: The id of the message.
    ///   - body: Stores the outcome, or returns false.
    /// - Returns: What `body` returns.
    /// - Throws: The failure of `body`.
    func keep(
        _ id: String,
        _ body: () throws(BridgeError) -> Bool
    ) throws(TransportError) -> Bool {
        var isKept = false
        defer {
            if isKept {
                Siblings.complete(id, by: storage.origin, on: center)
            } else {
                Siblings.release(id, by: storage.origin, on: center)
            }
        }
        isKept = try stored(body)
        return isKept
    }

    /// Turns a failure of the storage into the end of this connection.
    ///
    /// The next connection tries again.
    func stored<Value>(
        _ body: () throws(BridgeError) -> Value
    ) throws(TransportError) -> Value {
        do throws(BridgeError) {
            return try body()
        } catch {
            throw TransportError(.other, "The inbox cannot be used: \(error.message)")
        }
    }
}
