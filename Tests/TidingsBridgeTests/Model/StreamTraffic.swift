// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridgeTesting
import TidingsLock

@testable import TidingsBridge

/// Durable messages over a stream that loses frames.
final class StreamTraffic: ScheduledTraffic {
    private let schedule: FaultSchedule
    private let server: InMemoryServer
    private let notes: NoteTraffic
    private let history: Lock<StreamHistory>

    init(_ schedule: FaultSchedule, _ server: InMemoryServer) {
        self.schedule = schedule
        self.server = server
        notes = NoteTraffic(schedule)
        history = Lock(StreamHistory(readsAll: schedule.gapPolicy == .fromBeginning))
    }

    var changed: WakeSignal { notes.changed }

    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken) {
        notes.join(life, on: center)
    }

    func post(by process: ScheduledProcess, key: String?, failures: Int) async {
        await notes.post(by: process, key: key, failures: 0)
    }

    func died(_ life: Life) { notes.died(life) }

    func closed(_ process: ScheduledProcess, isSlow: Bool) {
        notes.closed(process, isSlow: isSlow)
        history.withLock { $0.close(process.life, process.gaps) }
    }

    /// Notes a change of the stream before the change is made.
    func changes(_ change: FaultSchedule.StreamChange, for processes: [ScheduledProcess]) throws {
        let cursors = try processes.map { ($0.life.process, try $0.cursor()?.sequence) }
        history.withLock {
            $0.change(change, cursors: Dictionary(uniqueKeysWithValues: cursors))
        }
    }

    func isReady(_ processes: [ScheduledProcess]) -> Bool { processes.allSatisfy(\.isConnected) }

    func isDone(_ processes: [ScheduledProcess]) throws -> Bool {
        guard isReady(processes), processes.allSatisfy(\.outboxIsEmpty),
            try processes.allSatisfy(hasReadAll), silences(processes).isEmpty
        else { return false }
        let missing = missing(processes)
        history.withLock { history in
            for (process, missing) in zip(processes, missing) {
                history.settle(process.life, missing: missing, process.gaps)
            }
        }
        return true
    }

    func violations(_ processes: [ScheduledProcess]) -> [String] {
        silences(processes)
            + notes.history.misbehaviour(
                processes: schedule.processes,
                keepsOrder: schedule.keepsOrder
            )
    }

    private func silences(_ processes: [ScheduledProcess]) -> [String] {
        let stored = Set(server.frames(of: "shop").compactMap { try? $0.frame.note.number })
        let history = history.withLock { $0 }
        return zip(processes, missing(processes)).flatMap { process, missing in
            history.violations(process.life, missing: missing, stored: stored, process.gaps)
        }
    }

    private func missing(_ processes: [ScheduledProcess]) -> [Set<Int>] {
        let history = notes.history
        return processes.map { Set(history.missing(at: $0.life.process)) }
    }

    private func hasReadAll(_ process: ScheduledProcess) throws -> Bool {
        let stream = server.facts(of: "shop")
        let cursor = try process.cursor()
        guard let cursor else { return stream.last == 0 }
        let last = server.frames(of: "shop").last?.frame.headers.id ?? ""
        return cursor.incarnation == stream.incarnation && cursor.sequence == stream.last
            && (cursor.id.isEmpty || cursor.id.hasPrefix(last))
    }
}

extension ScheduledProcess {
    fileprivate func cursor() throws -> Cursor? {
        try bridge.engine?.parts.storage.cursor(of: ScheduledNote.wireName.text)
    }

    fileprivate var gaps: [StreamGap] {
        bridge.status.lastData?.subscriptions[ScheduledNote.wireName.text]?.gaps ?? []
    }
}
