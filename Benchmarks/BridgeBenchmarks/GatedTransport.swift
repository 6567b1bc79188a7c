// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsBridge

/// A transport that connects only after `open`, so that an outbox can be filled before.
final class GatedTransport: BridgeTransport {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let transport: any BridgeTransport
    private let state = Mutex(State())

    init(_ transport: some BridgeTransport) {
        self.transport = transport
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try await transport.connect(to: space, epoch: epoch)
    }
}
