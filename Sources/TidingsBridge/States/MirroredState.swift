// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// A published state that the processes of a space have in common.
protocol StateMirror: Sendable {
    var name: String { get }
    var status: SubscriptionStatus { get }

    /// Starts to notice changes of this process, until the token is cancelled.
    func observe() -> ObservationToken

    /// Stores changes of this process in the outbox until the task is cancelled.
    func write() async

    /// Whether this process has a change that the outbox does not have yet.
    var hasNewChange: Bool { get }

    /// Stores the last change of this process in the outbox, as far as there is room.
    func flush()

    /// Takes over the changes of other processes until the connection ends.
    func run(
        over connection: any BridgeConnection,
        didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError)
}

/// Mirrors one publisher.
///
/// The value that the stream has stored last wins everywhere. A process with an own change on the
/// way takes over no value before that change, because the stream will store the change later.
final class MirroredState<Value: Codable & Equatable & Sendable>: StateMirror {
    /// A value that no change of this process has made, so that the value replaces no change.
    private struct Resent {
        /// The edits of the publisher that the value has.
        let edits: Int
        /// The sequence of the frame that the stream has instead, or 0 without a frame.
        let sequence: UInt64
        /// The row of the value, once the value is in the outbox.
        var row: Int?
    }

    private struct State {
        /// The edits of the publisher that are sent or taken over, or nil to send the value.
        var edits: Int?
        /// The value that is sent again because the stream has lost it.
        var resent: Resent?
        /// The last row of this process, and the last row that came back or was refused.
        var written = 0
        var returned = 0
        /// The last row that was in the outbox at the start.
        var pending = 0
        /// The last row that the server has accepted, and its place in the stream.
        var accepted = 0
        var acceptedSequence: UInt64 = 0
        /// The last frame, if passed over because of a change of this process on the way.
        var passed: StoredFrame?
        /// The number of changes, which reveals a stream that lost the newest values.
        var revision = 0
        /// Whether a task stores the newest value, and whether the task must then do so once more.
        var isSending = false
        var mustRepeat = false
        /// The last frame that was read.
        var incarnation = ""
        var sequence: UInt64 = 0
    }

    let name: String
    private let publisher: StatePublisher<Value>
    private let direction: Crossing.Direction
    private let codec: BridgeCodec
    private let storage: BridgeStorage
    private let time: Timeline
    private let subject: String
    private let rowsWereAdded: @Sendable () -> Void
    private let noteChange: @Sendable () -> Void
    private let state = Lock(State())
    private let counts = Lock(SubscriptionStatus())
    private let changed = WakeSignal()
    private let work = LastingWork()

    init(
        _ publisher: StatePublisher<Value>,
        _ crossing: Crossing,
        _ parts: EngineParts,
        rowsWereAdded: @escaping @Sendable () -> Void,
        noteChange: @escaping @Sendable () -> Void
    ) {
        self.publisher = publisher
        name = crossing.name.text
        direction = crossing.direction
        codec = parts.options.codec
        storage = parts.storage
        time = parts.time
        subject = parts.space.stored(crossing.name, key: nil)
        self.rowsWereAdded = rowsWereAdded
        self.noteChange = noteChange
    }

    var status: SubscriptionStatus { counts.withLock { $0 } }

    private var isReader: Bool { direction.start != nil }

    // MARK: Out

    func observe() -> ObservationToken {
        // A reader first takes over the value of other processes, or sends an own value if there is
        // none.
        let edits = isReader ? publisher.withMemory { $0.edits } : nil
        state.withLock { $0.edits = edits }
        guard direction.isOutgoing else { return ObservationToken(combining: []) }
        if let row = try? storage.newestRow(of: subject) {
            state.withLock { $0.pending = row }
            let answer = Answer<Receipt.Acceptance>()
            storage.receipts.add(answer, for: row)
            noteOutcome(of: row, answer)
        }
        return publisher.states.observe { [changed] _ in changed.raise() }
    }

    func write() async {
        guard direction.isOutgoing else { return }
        while !Task.isCancelled {
            await changed.wait()
            if send() { continue }
            // The outbox is full or the disk fails. After the pause, there may be a newer value.
            await time.sleep(for: .seconds(1))
            changed.raise()
        }
    }

    var hasNewChange: Bool {
        guard direction.isOutgoing else { return false }
        let (data, edits) = publisher.withMemory { ($0.lastData, $0.edits) }
        return data != nil && state.withLock { $0.edits != edits }
    }

    func flush() {
        guard direction.isOutgoing else { return }
        _ = send()
    }

    /// Stores the newest value in the outbox if this process has changed the value.
    ///
    /// If a task stores the value already, that task stores the newest value once more.
    ///
    /// - Returns: False if the caller must try again.
    private func send() -> Bool {
        let isOther = state.withLock { state in
            defer { state.isSending = true }
            state.mustRepeat = state.isSending
            return state.isSending
        }
        guard !isOther else { return true }
        while true {
            let isStored = sendNewest()
            let isLast = state.withLock { state in
                defer { state.mustRepeat = false }
                state.isSending = state.mustRepeat
                return !state.mustRepeat
            }
            if isLast { return isStored }
        }
    }

    private func sendNewest() -> Bool {
        let (data, edits) = publisher.withMemory { ($0.lastData, $0.edits) }
        let (known, revision, resent) = state.withLock { ($0.edits, $0.revision + 1, $0.resent) }
        guard known != edits else { return true }
        guard let data else {
            skip(edits)
            return true
        }
        let body: [UInt8]
        do {
            body = try codec.encode(data)
        } catch {
            counts.withLock { $0.failures += 1 }
            skip(edits)
            noteChange()
            return true
        }
        var headers: FrameHeaders = [:]
        headers[.origin] = storage.origin
        headers[.type] = name
        headers[.hops] = "1"
        headers[.revision] = "\(revision)"
        if let resent, resent.edits == edits { headers[.after] = "\(resent.sequence)" }
        var draft = OutboxDraft(subject: subject, headers: headers, body: body)
        let answer = Answer<Receipt.Acceptance>()
        draft.answer = answer
        guard let row = (try? storage.append([draft]))?.first else { return false }
        state.withLock { state in
            state.written = row
            state.edits = edits
            state.revision = revision
            if resent?.edits == edits { state.resent?.row = row }
        }
        noteOutcome(of: row, answer)
        rowsWereAdded()
        return true
    }

    /// Sends nothing for these edits, and looks again at a frame that was passed over for the
    /// edits.
    private func skip(_ edits: Int) {
        state.withLock { $0.edits = edits }
        Task { [weak self] in try? await self?.takePassed() }
    }

    /// Notes whether the server has the row, and looks again at the frame that was passed over.
    ///
    /// After a refusal, values of other processes count again. A row that was accepted before the
    /// last frame is not read back if the connection was lost in between.
    private func noteOutcome(of row: Int, _ answer: Answer<Receipt.Acceptance>) {
        Task { [weak self] in
            let outcome = await answer.outcome(onCancel: {})
            guard let self else { return }
            switch outcome {
            case .success(let acceptance):
                state.withLock { state in
                    guard row > state.accepted else { return }
                    (state.accepted, state.acceptedSequence) = (row, acceptance.sequence)
                }
            case .failure(let error as BridgeError) where error.code == .refused:
                let isSuperseded = (error.cause as? TransportError)?.code == .superseded
                if !isSuperseded { counts.withLock { $0.failures += 1 } }
                state.withLock { $0.returned = max($0.returned, row) }
                noteChange()
            case .failure: return
            }
            try? await takePassed()
        }
    }

    private func takePassed() async throws(TransportError) {
        try await work.run { [self] in
            let (passed, incarnation) = state.withLock { ($0.passed, $0.incarnation) }
            if let passed { take(passed, incarnation) }
        }
    }

    // MARK: In

    func run(
        over connection: any BridgeConnection,
        didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) {
        // This check comes before the request for the newest frame, which is then this change or a
        // later change.
        let isOnTheWay = state.withLock { state in
            // The stream of this connection may refuse a value that is sent again.
            max(state.written, state.pending) > max(state.returned, state.accepted)
                && state.resent?.row != state.written
        }
        let stream = try await connection.stream()
        let newest = try await connection.newestFrame(of: subject)
        let wentBack = state.withLock { state in
            state.sequence > 0
                && (state.incarnation != stream.incarnation || stream.last < state.sequence)
        }
        if wentBack {
            // Rows that were accepted there have no place, or an earlier place, in this stream.
            state.withLock { state in
                state.returned = max(state.returned, state.accepted)
                state.passed = nil
            }
        }
        // Rows in the outbox will be stored.
        if !isOnTheWay, mustSendAgain(newest, wentBack) {
            state.withLock { state in
                if let edits = state.edits ?? state.resent?.edits {
                    state.resent = Resent(edits: edits, sequence: newest?.sequence ?? 0)
                }
                state.edits = nil
                state.revision = max(state.revision - 1, 0)
                state.sequence = 0
                state.passed = nil
            }
            changed.raise()
        } else if let newest, isReader {
            try await work.run { self.take(newest, stream.incarnation) }
        }
        counts.withLock { $0.newest = stream.last }
        noteChange()
        didProgress()
        guard isReader else { return await WakeSignal().wait() }
        // Every frame that is stored after the calls above has a later place.
        let start = newest.map { $0.sequence + 1 } ?? stream.last + 1
        let reader = try await connection.read(from: .sequence(start), SubjectFilter(subject))
        defer { reader.close() }
        while !Task.isCancelled {
            let frames = try await reader.next(atMost: 64)
            guard !frames.isEmpty else { continue }
            try await work.run { for frame in frames { self.take(frame, stream.incarnation) } }
            didProgress()
        }
    }

    /// Whether the stream has lost the value that this process has.
    private func mustSendAgain(_ newest: StoredFrame?, _ wentBack: Bool) -> Bool {
        guard direction.isOutgoing else { return false }
        guard let newest else { return true }
        return wentBack && Self.revision(of: newest) < state.withLock { $0.revision }
    }

    private static func revision(of frame: StoredFrame) -> Int {
        // Limited, because another program may write any number.
        min(max(frame.frame.headers[.revision].flatMap { Int($0) } ?? 0, 0), 1 << 60)
    }

    private func take(_ stored: StoredFrame, _ incarnation: String) {
        let frame = stored.frame
        let row = ownRow(of: frame)
        let isPassed = state.withLock { state in
            state.incarnation = incarnation
            state.sequence = stored.sequence
            // Another program may write any number.
            if let row, row <= max(state.written, state.pending) {
                state.returned = max(state.returned, row)
            }
            if state.acceptedSequence < stored.sequence {
                // The row was accepted before this frame, and is not read back any more.
                state.returned = max(state.returned, state.accepted)
            }
            state.passed = nil
            if row != nil, row == state.written { return true }
            guard state.written > state.returned else { return false }
            // A change of this process is on the way.
            state.passed = stored
            return true
        }
        counts.withLock {
            $0.position = stored.sequence
            $0.newest = max($0.newest, stored.sequence)
        }
        noteChange()
        if isPassed { return }
        let value: Value
        do {
            value = try codec.decode(Value.self, frame.body)
        } catch {
            // The next change brings another value. The state of this process stays the same.
            counts.withLock { $0.failures += 1 }
            return noteChange()
        }
        while !adopt(value, stored) {}
        counts.withLock { $0.handled += 1 }
        noteChange()
    }

    /// Sets a received value, unless this process has changed its own value in between.
    ///
    /// - Returns: False if the caller must try again.
    private func adopt(_ value: Value, _ stored: StoredFrame) -> Bool {
        let revision = Self.revision(of: stored)
        let (data, edits) = publisher.withMemory { ($0.lastData, $0.edits) }
        let isPassed = state.withLock { state in
            guard direction.isOutgoing else { return false }
            // This includes a change that the outbox has taken since the look at the frame.
            guard state.edits != edits || state.written > state.returned else { return false }
            state.passed = stored
            return true
        }
        if isPassed { return true }
        if data == value {
            state.withLock { $0.revision = max($0.revision, revision) }
            return true
        }
        let now = publisher.now()
        return publisher.change { memory in
            guard memory.edits == edits else { return nil }
            let replaced = memory.updateData(value, at: now)
            let edits = memory.edits
            // The edits are noted before an observer can see the value, so that the value is not
            // sent back.
            state.withLock { state in
                state.edits = edits
                state.revision = max(state.revision, revision)
            }
            return replaced
        }
    }

    /// Returns the row of a frame that this process has sent.
    private func ownRow(of frame: BridgeFrame) -> Int? {
        guard frame.headers[.origin] == storage.origin else { return nil }
        return frame.headers.id?.split(separator: "-").last.flatMap { Int($0) }
    }
}
