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
    private let state: Lock<ReadState>
    let counts = Lock(SubscriptionStatus())
    /// The group with which this process shares the messages; nil if it handles all of them.
    private let group: SharedGroup?
    let isClosing = Lock(false)
    /// Raised when a message was parked or a parked one was handled.
    let parking = WakeSignal()
    /// The outcome of handlers that the storage has not taken yet; no further message is handled.
    let unstored = Lock<(id: String, outcome: Inlet.Outcome)?>(nil)
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
        let position: StreamStart
        switch try await plan(over: connection) {
        case .read(let from, let gap):
            position = from
            if let gap { note(gap, isStopped: false) }
        case .stop(let gap):
            return note(gap, isStopped: true)
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
                try await read(from: reader, over: connection, until: end, didProgress)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try await outcome(of: work)
    }

    /// Handles frames until the reader ends or the reading is over.
    private func read(
        from reader: any FrameReader<StoredFrame>,
        over connection: any BridgeConnection,
        until end: ReadingEnd,
        _ didProgress: @Sendable () -> Void
    ) async throws(TransportError) {
        while !end.isOver {
            let batch = try await reader.next(atMost: prefetch)
            try await checkGap(before: batch, over: connection)
            for frame in batch where !end.isOver { try await take(frame, until: end) }
            if !batch.isEmpty { didProgress() }
            noteChange()
        }
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
        let cursor = try stored { () throws(BridgeError) in try storage.cursor(of: name) }
        let mark = try await mark(at: cursor?.sequence ?? 0, over: connection, in: stream)
        let plan = state.withLock {
            $0.connect(cursor, to: stream, idAtCursor: mark.isEmpty ? nil : mark)
        }
        // A first start has a position from now on: the next start reads what arrives meanwhile.
        if case .read(let start, let gap) = plan, cursor == nil || gap != nil {
            if case .sequence(let first) = start {
                let place = first - min(first, 1)
                try move(
                    to: place,
                    id: try await self.mark(at: place, over: connection, in: stream)
                )
            }
        }
        counts.withLock { $0.newest = max(stream.last, $0.position) }
        noteChange()
        return plan
    }

    /// Finds frames that the stream has removed in front of a slow reader.
    private func checkGap(
        before batch: [StoredFrame],
        over connection: any BridgeConnection
    ) async throws(TransportError) {
        guard let first = batch.first else { return }
        let position = state.withLock { $0.position }
        guard position > 0, first.sequence > position + 1 else { return }
        let stream = try await connection.stream()
        counts.withLock { $0.newest = max($0.newest, stream.last) }
        guard stream.first > position + 1, first.sequence >= stream.first else { return }
        let gap = StreamGap(
            kind: .removed,
            subscription: name,
            cursor: position,
            extent: stream.first <= stream.last ? stream.first...stream.last : nil,
            size: stream.first - position - 1
        )
        note(gap, isStopped: false)
    }

    // MARK: One frame

    private func take(
        _ stored: StoredFrame,
        until end: ReadingEnd
    ) async throws(TransportError) {
        guard state.withLock({ $0.read(stored.sequence) }) == .handle else { return }
        let id = id(of: stored, in: state.withLock { $0.stream })
        let mark = mark(of: stored, id: id)
        guard let cursor = state.withLock({ $0.cursor(at: stored.sequence, id: mark) }) else {
            return
        }
        let envelope: BridgeEnvelope
        do throws(BridgeError) {
            envelope = try BridgeEnvelope(stored.frame, fallbackID: id, stored: stored.time)
        } catch {
            return try bury(stored, id: id, error, attempts: 0, at: cursor)
        }
        while try await !settle(stored, envelope, at: cursor, until: end) {
            try await pauseReading(until: end)
        }
        counts.withLock {
            $0.position = stored.sequence
            $0.newest = max($0.newest, stored.sequence)
        }
    }

    /// Skips, parks or handles a frame.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func settle(
        _ stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor,
        until end: ReadingEnd
    ) async throws(TransportError) -> Bool {
        while true {
            switch try verdict(on: envelope) {
            case .skip(let count):
                counts.withLock { count(&$0) }
                // If this fails, the frame is skipped again after a restart. A full disk must not
                // end the connection of the publisher for it.
                try? move(to: cursor)
                return true
            case .wait: try await waitForSibling(envelope.id, until: end)
            case .park: return try park(stored, envelope, attempts: 0, cause: "", at: cursor)
            case .deliver: return try await deliver(stored, envelope, at: cursor)
            }
        }
    }

    private enum Verdict {
        case deliver
        /// Keeps it behind a message of its lane.
        case park
        /// Waits for the bridge of this center that has it in work.
        case wait
        case skip(@Sendable (inout SubscriptionStatus) -> Void)
    }

    private func verdict(on envelope: BridgeEnvelope) throws(TransportError) -> Verdict {
        if envelope.origin == storage.origin { return .skip { _ in } }
        if envelope.type != name || envelope.hops > hopLimit { return .skip { $0.skipped += 1 } }
        return try stored { () throws(BridgeError) -> Verdict in
            if try storage.hasSeen(envelope.id) { return .skip { $0.repeats += 1 } }
            let isBehind =
                retry.keepsOrder ? try storage.isParked(lane(of: envelope), of: name) : false
            // Last, so that each claim is completed or released.
            return switch Siblings.claim(envelope.id, by: storage.origin, on: center) {
            case .granted: isBehind ? .park : .deliver
            case .inWork: .wait
            case .done: .skip { $0.repeats += 1 }
            }
        }
    }

    /// Waits until another bridge of the center has handled a message or given it up.
    ///
    /// Its handlers may still fail there, or the bridge may end.
    func waitForSibling(
        _ id: String,
        until readingEnd: ReadingEnd? = nil
    ) async throws(TransportError) {
        let end = Answer<Bool>()
        let isInWork = Siblings.wait(for: id, on: center) { end.settle(.success(true)) }
        guard isInWork else { return }
        readingEnd?.whenOver { end.settle(.success(false)) }
        guard case .success(true) = await end.outcome(onCancel: { end.settle(.success(false)) })
        else {
            throw TransportError(.closed, "The reading was cancelled.")
        }
    }

    /// Hands a message to the handlers, and stores the outcome.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func deliver(
        _ stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor
    ) async throws(TransportError) -> Bool {
        let outcome = await outcome(of: stored, envelope)
        return try store(outcome, of: stored, envelope, at: cursor)
    }

    /// Calls the handlers, unless the storage has not taken the outcome of their last call.
    private func outcome(
        of stored: StoredFrame,
        _ envelope: BridgeEnvelope
    ) async -> Inlet.Outcome {
        let known = unstored.withLock { $0?.id == envelope.id ? $0?.outcome : nil }
        if let known { return known }
        let outcome = await inlet.deliver(stored.frame.body, envelope)
        if outcome.isFinal { unstored.withLock { $0 = (envelope.id, outcome) } }
        return outcome
    }

    /// Stores the outcome of a first attempt.
    ///
    /// - Returns: False if too many messages wait for another attempt.
    private func store(
        _ outcome: Inlet.Outcome,
        of stored: StoredFrame,
        _ envelope: BridgeEnvelope,
        at cursor: Cursor
    ) throws(TransportError) -> Bool {
        switch outcome {
        case .handled, .unheard:
            // Also if it cannot be stored: another bridge would call the handlers again.
            Siblings.complete(envelope.id, by: storage.origin, on: center)
            try self.stored { () throws(BridgeError) in
                try storage.settle(envelope.id, of: name, at: cursor)
            }
            counts.withLock {
                $0.handled += 1
                $0.position = stored.sequence
            }
            noteChange()
        case .failed(let cause) where retry.attempts <= 1:
            let error = BridgeError(.handlerFailed, cause)
            try bury(stored, id: envelope.id, error, attempts: 1, at: cursor)
        case .failed(let cause):
            guard try park(stored, envelope, attempts: 1, cause: cause, at: cursor) else {
                return false
            }
            counts.withLock { $0.failures += 1 }
        case .undecodable(let error):
            try bury(stored, id: envelope.id, error, attempts: 0, at: cursor)
        case .unavailable:
            Siblings.release(envelope.id, by: storage.origin, on: center)
            throw TransportError(.closed, "The center has finished.")
        }
        unstored.withLock { $0 = nil }
        return true
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

    /// Keeps a message for another attempt.
    ///
    /// - Returns: False if too many wait already.
    private func park(
        _ frame: StoredFrame,
        _ envelope: BridgeEnvelope,
        attempts: Int,
        cause: String,
        at cursor: Cursor
    ) throws(TransportError) -> Bool {
        let isKept = try keep(envelope.id) { () throws(BridgeError) in
            guard try storage.parkedCount() < storage.limits.parkedMessages else { return false }
            try storage.park(
                frame,
                id: envelope.id,
                of: name,
                lane: lane(of: envelope),
                attempts: attempts,
                cause: cause,
                at: cursor
            )
            return true
        }
        if isKept { parking.raise() }
        return isKept
    }

    /// Pauses while too many messages wait; they are tried meanwhile.
    private func pauseReading(until end: ReadingEnd) async throws(TransportError) {
        try end.check()
        await time.sleep(for: .milliseconds(100))
    }

    private func bury(
        _ frame: StoredFrame,
        id: String,
        _ error: BridgeError,
        attempts: Int,
        at cursor: Cursor
    ) throws(TransportError) {
        _ = try keep(id) { () throws(BridgeError) in
            try storage.bury(death(of: frame, id: id, error, attempts: attempts), at: cursor)
            return true
        }
        noteChange()
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

    /// Messages of one lane wait for each other if the order is kept.
    private func lane(of envelope: BridgeEnvelope) -> String {
        guard retry.keepsOrder, let key = envelope.key else { return envelope.id }
        return "\(envelope.origin) \(key)"
    }

    /// Returns the id of a frame; one of another program is named by its place in the stream.
    func id(of stored: StoredFrame, in stream: StreamState?) -> String {
        if let id = stored.frame.headers.id, !id.isEmpty { return id }
        // With its time, because a stream that went back stores others at the same places.
        let place = "\(stream?.name ?? "")/\(stream?.incarnation ?? "")/\(stored.sequence)"
        return "\(place)/\(Self.time(of: stored))"
    }

    /// Returns what a cursor remembers of its frame: also the time, because a sender may store the
    /// same message at the same place of a stream that went back, behind another one.
    private func mark(of stored: StoredFrame, id: String) -> String {
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

    private func move(to sequence: UInt64, id: String) throws(TransportError) {
        guard let cursor = state.withLock({ $0.cursor(at: sequence, id: id) }) else { return }
        try move(to: cursor)
    }

    private func move(to cursor: Cursor) throws(TransportError) {
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
