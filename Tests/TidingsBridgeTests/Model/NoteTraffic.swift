// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsLock

/// Durable messages, which every other process handles once and in order.
final class NoteTraffic: ScheduledTraffic {
    private struct State {
        var history = NoteHistory()
        var dead: Set<Life> = []
        /// The failed attempts by process and number.
        var failures: [[Int]: Int] = [:]
    }

    let changed = WakeSignal()
    private let schedule: FaultSchedule
    private let state = Lock(State())

    var history: NoteHistory { state.withLock { $0.history } }

    init(_ schedule: FaultSchedule) {
        self.schedule = schedule
    }

    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken) {
        let token = center.messages(of: ScheduledNote.self).observe { [weak self] note in
            // The post itself delivers without an envelope.
            let isOwn = note.origin == life.process
            if isOwn, BridgeEnvelope.current == nil { return }
            if self?.handle(note.number, by: life, isOwn: isOwn) == true {
                throw ScheduledFailure()
            }
        }
        return (Crossing(ScheduledNote.self, .durable, .both(from: .beginning)), token)
    }

    /// Records a call of a handler.
    ///
    /// - Returns: Whether the call throws.
    private func handle(_ number: Int, by life: Life, isOwn: Bool) -> Bool {
        // Some handlers take a while, so that kills interrupt handlers.
        if number % 4 == 0 { Thread.sleep(forTimeInterval: 0.001) }
        let throwing = state.withLock { state in
            guard !state.dead.contains(life) else { return false }
            let process = life.process
            let failed = state.failures[[process, number], default: 0]
            let throwing = failed < state.history.posts[number].failures
            if throwing { state.failures[[process, number]] = failed + 1 }
            state.history.append(.handled(number, by: process, throwing: throwing, isOwn: isOwn))
            return throwing
        }
        changed.raise()
        return throwing
    }

    func post(by process: ScheduledProcess, key: String?, failures: Int) async {
        let origin = process.life.process
        let number = state.withLock { state in
            state.history.post(by: origin, key: key, failures: failures)
        }
        let note = ScheduledNote(number: number, origin: origin, key: key)
        // A process that ends during the call may or may not have stored the message.
        guard (try? await process.bridge.publish(note)) != nil else { return }
        state.withLock { state in
            if !state.dead.contains(process.life) { state.history.store(number) }
        }
    }

    func died(_ life: Life) {
        state.withLock { state in
            state.dead.insert(life)
            state.history.append(.killed(life.process))
        }
    }

    func closed(_ process: ScheduledProcess, isSlow: Bool) {
        state.withLock {
            $0.history.append(.restarted(process.life.process, isSlow: isSlow))
        }
    }

    func isDone(_ processes: [ScheduledProcess]) throws -> Bool {
        let history = history
        return try processes.allSatisfy { process in
            let index = process.life.process
            guard history.missing(at: index).isEmpty, process.outboxIsEmpty else { return false }
            // There may be other dead letters, from posts that did not return.
            return try process.deadNotes().map(\.number).isSuperset(of: history.poison(at: index))
        }
    }

    func violations(_ processes: [ScheduledProcess]) throws -> [String] {
        var history = history
        for process in processes {
            history.buried[process.life.process] = try process.deadNotes().map(\.number)
        }
        return history.violations(
            processes: schedule.processes,
            keepsOrder: schedule.keepsOrder
        )
    }
}

extension [Int] {
    fileprivate func isSuperset(of other: [Int]) -> Bool { Set(self).isSuperset(of: other) }
}
