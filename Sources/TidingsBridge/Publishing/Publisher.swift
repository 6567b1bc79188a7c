// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Sends the outbox over one connection after another.
final class Publisher: Sendable {
    private let storage: BridgeStorage
    private let time: Timeline
    private let state: Lock<PublishState>
    /// Raised for new rows, for room in the window and for a new connection.
    private let wake = WakeSignal()
    /// Raised when a deadline starts.
    private let deadlines = WakeSignal()
    /// Raised when the storage has kept rows that should be removed.
    private let keptRows = WakeSignal()
    private let noteChange: @Sendable () -> Void

    /// - Parameters:
    ///   - storage: The outbox.
    ///   - time: Measures the deadline of acknowledgements.
    ///   - state: The window and the deadline.
    ///   - noteChange: Called, without a lock, when rows were settled or the sending stalled.
    init(
        _ storage: BridgeStorage,
        _ time: Timeline,
        _ state: PublishState,
        noteChange: @escaping @Sendable () -> Void
    ) {
        self.storage = storage
        self.time = time
        self.state = Lock(state)
        self.noteChange = noteChange
    }

    /// Whether the server leaves rows without an acknowledgement.
    var isStalled: Bool { state.withLock { $0.isStalled } }

    /// Sends rows that were added.
    func rowsWereAdded() {
        wake.raise()
    }

    /// Sends until the connection ends or the task is cancelled.
    ///
    /// - Parameters:
    ///   - connection: A new connection.
    ///   - didProgress: Called with each batch of accepted rows.
    /// - Throws: The end of the connection.
    func run(
        over connection: any BridgeConnection,
        didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) {
        state.withLock { $0.connect() }
        try await race([
            { try await self.send(over: connection) },
            { try await self.settle(over: connection, didProgress) },
            { try await self.watchDeadlines() },
            { await self.removeKeptRows() },
        ])
    }

    private func send(over connection: any BridgeConnection) async throws(TransportError) {
        while !Task.isCancelled {
            let (ready, last, room) = state.withLock { state in
                (state.ready(atMost: 64), state.lastSent, state.loadRoom)
            }
            var loaded: [OutboxRow] = []
            for row in ready {
                loaded += try load(after: row - 1, limit: 1).filter { $0.row == row }
            }
            let limit = min(room - loaded.count, 512)
            if limit > 0 { loaded += try load(after: last, limit: limit) }
            guard !loaded.isEmpty else {
                await wake.wait()
                continue
            }
            let now = time.now
            let lanes = Dictionary(
                uniqueKeysWithValues: loaded.filter { $0.frame.keepsOrder }
                    .map { ($0.row, $0.frame.subject) }
            )
            let rows = loaded.map(\.row)
            let sent = Set(state.withLock { $0.send(rows, lanes: lanes, at: now) })
            deadlines.raise()
            let frames = loaded.filter { sent.contains($0.row) }
            guard !frames.isEmpty else { continue }
            try await connection.publish(
                frames.map { PublishedFrame(row: $0.row, frame: $0.frame) }
            )
        }
    }

    private func load(after row: Int, limit: Int) throws(TransportError) -> [OutboxRow] {
        do {
            return try storage.rows(after: row, limit: limit, bytes: 4 << 20)
        } catch {
            // The next connection tries again, after a pause.
            throw TransportError(.other, "The outbox cannot be read: \(error.message)")
        }
    }

    private func settle(
        over connection: any BridgeConnection,
        _ didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) {
        let meaning = connection.guarantees.acknowledgement
        defer { remove(state.withLock { $0.unremoved }) }
        while !Task.isCancelled {
            let arrived = try await connection.acknowledgements(atMost: 4_096)
            guard !arrived.isEmpty else { continue }
            let half = storage.limits.outboxBytes / 2
            let isFilling = storage.figures.withLock { $0.bytes > half }
            let (settlement, unremoved) = state.withLock { state in
                (state.receive(arrived), state.removable(whileFilling: isFilling))
            }
            remove(unremoved)
            storage.receipts.settle(
                settlement.accepted.map { row, sequence in
                    (row, .success(Receipt.Acceptance(sequence: sequence, meaning: meaning)))
                }
            )
            storage.receipts.settle(
                settlement.superseded.map { row, error in
                    (row, .failure(BridgeError(.refused, error.message, cause: error)))
                }
            )
            for (row, error) in settlement.refused { bury(row, error) }
            wake.raise()
            if !settlement.accepted.isEmpty { didProgress() }
            noteChange()
            if let fault = settlement.fault { throw fault }
        }
    }

    /// Removes settled rows, and later tries again if a full disk keeps these rows.
    private func remove(_ rows: Set<Int>) {
        guard !rows.isEmpty else { return }
        guard (try? storage.remove(rows)) != nil else { return keptRows.raise() }
        state.withLock { $0.remove(rows) }
    }

    /// Removes kept rows again, even if no further acknowledgement comes.
    private func removeKeptRows() async {
        while !Task.isCancelled {
            await keptRows.wait()
            await time.sleep(for: .seconds(1))
            remove(state.withLock { $0.unremoved })
            noteChange()
        }
    }

    private func bury(_ row: Int, _ error: TransportError) {
        let refusal = BridgeError(.refused, error.message, cause: error)
        // If the storage fails, the row stays and is refused again over the next connection.
        try? storage.bury(row: row, code: .refused, cause: error.description)
        storage.receipts.settle([(row, .failure(refusal))])
    }

    private func watchDeadlines() async throws(TransportError) {
        while !Task.isCancelled {
            guard let end = state.withLock({ $0.nextDeadline }) else {
                await deadlines.wait()
                continue
            }
            let now = time.now
            if let fault = state.withLock({ $0.check(at: now) }) {
                noteChange()
                throw fault
            }
            await time.sleep(for: end - now)
        }
    }
}

extension BridgeFrame {
    /// Whether the frame must not be stored after a later frame of the same subject.
    ///
    /// This is the case for a message with a key, and for a value of a mirrored state.
    fileprivate var keepsOrder: Bool { headers[.key] != nil || headers[.revision] != nil }
}
