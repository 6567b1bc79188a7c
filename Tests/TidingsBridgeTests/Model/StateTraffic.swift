// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock

/// A mirrored state that each process changes and that all processes show alike.
final class StateTraffic: ScheduledTraffic {
    /// The value, which is the number of the change.
    private struct Value: Codable, Equatable {
        let number: Int
    }

    private struct State {
        var history = StateHistory()
        var dead: Set<Life> = []
        var publishers: [Life: StatePublisher<Value>] = [:]
    }

    let changed = WakeSignal()
    private let server: InMemoryServer
    private let state = Lock(State())

    init(_ server: InMemoryServer) {
        self.server = server
    }

    func join(_ life: Life, on center: MessageCenter) -> (Crossing, ObservationToken) {
        let publisher = StatePublisher<Value>()
        state.withLock { $0.publishers[life] = publisher }
        let token = publisher.states.observe { [weak self] shown in
            guard let self, let number = shown.value?.number else { return }
            state.withLock { state in
                if !state.dead.contains(life) { state.history.show(number, by: life) }
            }
            changed.raise()
        }
        return (Crossing(state: publisher, key: "price"), token)
    }

    func post(by process: ScheduledProcess, key: String?, failures: Int) async {
        let life = process.life
        let (number, publisher) = state.withLock { state in
            (state.history.change(by: life), state.publishers[life])
        }
        publisher?.updateData(Value(number: number))
        // A bridge that closes during the call may or may not have taken the change.
        guard process.isRunning else { return }
        state.withLock { state in
            if !state.dead.contains(life) { state.history.take(number) }
        }
    }

    func died(_ life: Life) {
        state.withLock { state in
            state.dead.insert(life)
            state.history.kill(life)
        }
    }

    /// Whether all processes show the newest value.
    ///
    /// No further change is made, because a change would hide that an earlier one was missed.
    func isReady(_ processes: [ScheduledProcess]) throws -> Bool { try isDone(processes) }

    func isDone(_ processes: [ScheduledProcess]) throws -> Bool {
        guard processes.allSatisfy(\.outboxIsEmpty) else { return false }
        let newest = try server.frames(of: "shop").last.map(Self.number)
        return shown(by: processes).allSatisfy { $0 == newest }
    }

    func violations(_ processes: [ScheduledProcess]) throws -> [String] {
        let stored = try server.frames(of: "shop").map(Self.number)
        let history = state.withLock { $0.history }
        return history.violations(stored: stored, shown: shown(by: processes))
    }

    private func shown(by processes: [ScheduledProcess]) -> [Int?] {
        let publishers = state.withLock { $0.publishers }
        return processes.map { publishers[$0.life]?.lastData?.number }
    }

    private static func number(of stored: StoredFrame) throws -> Int {
        try JSONDecoder().decode(Value.self, from: Data(stored.frame.body)).number
    }
}
