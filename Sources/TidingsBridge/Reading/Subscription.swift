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
    /// The group with which this process shares the messages; nil if it handles all of them.
    private let group: SharedGroup?
    let isClosing = Lock(false)
    /// Raised when a message was parked or a parked one was handled.
    let parking = WakeSignal()
    /// The outcome of handlers that the storage has not taken yet; no further message is handled.
    let unstored = Lock<(id: String, outcome: Inlet.Outcome)?>(nil)
    /// The last move that the storage has not taken; without effect once it has taken a later one.
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

    /// What was read so far.
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
        // A handler of the last connection may still run; its message is not handled beside it.
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

    /// Reads from where the plan says.
    ///
    /// - Returns: Whether frames were lost meanwhile, so that another plan is needed.
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
        // The end of the connection cancels neither a handler nor the storing of its outcome: the
        // next one would call it again.
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
    /// - Returns: Whether it is.
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

    /// Stores where a first start begins.
    ///
    /// Once the bridge counts as connected, all that is stored arrives: a position that is taken
    /// later would pass over the first messages.
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
        // A first start has a position from now on: the next start reads what arrives meanwhile.
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
    /// - Returns: Whether the policy must decide where to go on. From the beginning means from the
    ///   batch: a plan takes time, in which a busy stream could lose frames again and again.
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

    /// Begins work in a task of its own, the only one at a time.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Result<Value, TransportError>
    ) -> Answer<Result<Value, TransportError>> {
        let answer = Answer<Result<Value, TransportError>>()
        let task = Task { _ = answer.settle(.success(await body())) }
        delivery.withLock { $0 = task }
        return answer
    }

    /// Waits for work that goes on if the waiting task is cancelled, so that a handler that takes
    /// long does not keep the bridge from its next connection.
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

    /// Returns the id of a frame; one of another program is named by its place in the stream.
    func id(of stored: StoredFrame, in stream: StreamState?) -> String {
        if let id = stored.frame.headers.id, !id.isEmpty { return id }
        // With its time, because a stream that went back stores others at the same places.
        let place = "\(stream?.name ?? "")/\(stream?.incarnation ?? "")/\(stored.sequence)"
        return "\(place)/\(Self.time(of: stored))"
    }

    /// Returns what a cursor remembers of its frame: also the time, because a sender may store the
    /// same message at the same place of a stream that went back, behind another one.
    func mark(of stored: StoredFrame, id: String) -> String {
        "\(id) \(Self.time(of: stored))"
    }

    /// Returns the mark of the frame at a place; empty if there is none.
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

    /// Moves to a place without a message; in memory while the disk is full, which must not end the
    /// connection of the publisher.
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

    /// Stores the outcome of a message, so that other bridges of the center may take it as done; if
    /// that fails, one of them may take the message.
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

    /// Turns a failure of the storage into the end of this connection; the next one tries again.
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
