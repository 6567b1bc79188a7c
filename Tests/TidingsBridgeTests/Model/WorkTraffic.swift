// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsLock

@testable import TidingsBridgeTesting

/// Shared work, which one process of a group handles.
final class WorkTraffic: ScheduledTraffic {
    private struct State {
        var history = WorkHistory()
        var dead: Set<Life> = []
        /// The failed attempts of all processes.
        var failures: [Int: Int] = [:]
    }

    let changed = WakeSignal()
    private let server: InMemoryServer
    private let state = Lock(State())

    init(_ server: InMemoryServer) {
        self.server = server
    }

    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken) {
        let token = center.messages(of: ScheduledNote.self).observe { [weak self] note in
            if self?.handle(note.number, by: life) == true { throw ScheduledFailure() }
        }
        return (Crossing(ScheduledNote.self, .shared(group: "clerks")), token)
    }

    /// Records the start and the end of a handler's call.
    ///
    /// - Returns: Whether the call throws.
    private func handle(_ number: Int, by life: Life) -> Bool {
        append(by: life) { _ in .began(number, by: life, living: server.livingConnections) }
        // Some handlers take a while, so that faults interrupt handlers.
        if number % 2 == 0 { Thread.sleep(forTimeInterval: 0.001) }
        var throwing = false
        append(by: life) { state in
            let failed = state.failures[number, default: 0]
            throwing = failed < state.history.posts[number].failures
            if throwing { state.failures[number] = failed + 1 }
            return .ended(number, by: life, throwing: throwing)
        }
        changed.raise()
        return throwing
    }

    private func append(by life: Life, _ entry: (inout State) -> WorkHistory.Entry) {
        state.withLock { state in
            guard !state.dead.contains(life) else { return }
            let entry = entry(&state)
            state.history.append(entry)
        }
    }

    func connected(_ life: Life, over connection: Int) {
        append(by: life) { _ in .connected(life, over: connection) }
    }

    func post(by process: ScheduledProcess, key: String?, failures: Int) async {
        let origin = process.life.process
        let number = state.withLock { state in
            state.history.post(by: origin, key: key, failures: failures)
        }
        let note = ScheduledNote(number: number, origin: origin, key: key)
        guard (try? await process.bridge.publish(note)) != nil else { return }
        state.withLock { state in
            if !state.dead.contains(process.life) { state.history.store(number) }
        }
    }

    func died(_ life: Life) {
        append(by: life) { state in
            state.dead.insert(life)
            return .killed(life)
        }
    }

    func isDone(_ processes: [ScheduledProcess]) throws -> Bool {
        guard processes.allSatisfy(\.outboxIsEmpty) else { return false }
        return try history(processes).unfinished.isEmpty
    }

    func violations(_ processes: [ScheduledProcess]) throws -> [String] {
        try history(processes).violations
    }

    private func history(_ processes: [ScheduledProcess]) throws -> WorkHistory {
        var history = state.withLock { $0.history }
        for process in processes {
            for (number, cause) in try process.deadNotes() {
                history.bury(number, isUnfinished: cause.hasPrefix("It was given out"))
            }
        }
        return history
    }
}

extension InMemoryServer {
    /// The numbers of the connections that keep their work.
    fileprivate var livingConnections: Set<Int> {
        state.withLock { Set($0.connections.filter { $0.value.connection != nil }.keys) }
    }
}
