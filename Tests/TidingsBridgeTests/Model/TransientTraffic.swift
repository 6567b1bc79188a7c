// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsLock

/// Transient messages, which either reach the connected processes or are counted.
final class TransientTraffic: ScheduledTraffic {
    private struct State {
        var history = TransientHistory()
        var dead: Set<Life> = []
    }

    let changed = WakeSignal()
    private let schedule: FaultSchedule
    private let state = Lock(State())

    init(_ schedule: FaultSchedule) {
        self.schedule = schedule
    }

    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken) {
        let token = center.messages(of: ScheduledNote.self).observe { [weak self] note in
            // The post itself delivers without an envelope.
            if note.origin == life.process, BridgeEnvelope.current == nil { return }
            self?.receive(note.number, by: life)
        }
        return (Crossing(ScheduledNote.self, .transient), token)
    }

    private func receive(_ number: Int, by life: Life) {
        // Some handlers take a while, so that messages wait for a handler when a connection ends.
        if number % 8 == 0 { Thread.sleep(forTimeInterval: 0.001) }
        state.withLock { state in
            if !state.dead.contains(life) { state.history.receive(number, by: life) }
        }
        changed.raise()
    }

    func post(by process: ScheduledProcess, key: String?, failures: Int) async {
        let number = state.withLock { $0.history.post(by: process.life, key: key) }
        let origin = process.life.process
        process.center.post(ScheduledNote(number: number, origin: origin, key: key))
        // A bridge that closes during the call may or may not have taken the message.
        if process.isRunning { state.withLock { $0.history.take(number) } }
        changed.raise()
    }

    func postLast(by process: ScheduledProcess) async {
        var before: Int
        // The queue may still be full.
        repeat {
            before = process.transientLosses.out
            await post(by: process, key: "last", failures: 0)
            await Task.yield()
        } while process.transientLosses.out != before && !Task.isCancelled
        state.withLock { $0.history.expectLast() }
    }

    func died(_ life: Life) {
        state.withLock { state in
            state.dead.insert(life)
            state.history.kill(life)
        }
    }

    func closed(_ process: ScheduledProcess, isSlow: Bool) {
        state.withLock { $0.history.note(process.transientLosses, of: process.life) }
    }

    func isReady(_ processes: [ScheduledProcess]) -> Bool { processes.allSatisfy(\.isConnected) }

    func isDone(_ processes: [ScheduledProcess]) -> Bool {
        let history = history(processes)
        guard history.missing(of: schedule.processes).isEmpty else { return false }
        return !schedule.isSteady || history.imbalance(at: 0) == nil
    }

    func violations(_ processes: [ScheduledProcess]) -> [String] {
        let history = history(processes)
        let texts = history.violations(processes: schedule.processes)
        return texts + (schedule.isSteady ? history.imbalance(at: 0).map { [$0] } ?? [] : [])
    }

    private func history(_ processes: [ScheduledProcess]) -> TransientHistory {
        // The losses are read first, so that all counted messages are in the history.
        let losses = processes.map(\.transientLosses)
        var history = state.withLock { $0.history }
        for (process, losses) in zip(processes, losses) { history.note(losses, of: process.life) }
        return history
    }
}
