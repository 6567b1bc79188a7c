// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import Tidings
import TidingsBridge
import TidingsNATS

/// A center with a bridge and a separate folder.
final class Station: Sendable {
    let center = MessageCenter()
    let bridge: Bridge
    let gate: GatedTransport
    private let folder: URL

    init(
        _ address: String,
        space: String,
        options: BridgeOptions = BridgeOptions(),
        @CrossingBuilder crossings: () -> [Crossing]
    ) {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tidings-bench-\(UUID().uuidString)")
        gate = GatedTransport(NATSTransport(address))
        bridge = Bridge(
            center: center,
            space: space,
            transport: gate,
            storage: folder.path,
            options: options,
            crossings: crossings
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Waits until the status has a property.
    func wait(until condition: @Sendable (BridgeStatus) -> Bool) async {
        for await state in bridge.status.states.values {
            if let data = state.value, condition(data) { return }
        }
    }
}

/// Counts messages, and signals when enough messages have arrived.
final class Counter: Sendable {
    private let state: Mutex<(count: Int, goal: Int)>
    private let reached = DispatchSemaphore(value: 0)

    init(goal: Int) {
        state = Mutex((count: 0, goal: goal))
    }

    func add() {
        let isReached = state.withLock { state in
            state.count += 1
            return state.count == state.goal
        }
        if isReached { reached.signal() }
    }

    /// Blocks the thread until the goal is reached.
    func wait() { reached.wait() }
}
