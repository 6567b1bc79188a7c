// SPDX-License-Identifier: Apache-2.0
#if NATS
import Tidings
import TidingsBridge

extension Bridge {
    /// Waits for a status that meets a condition.
    func status(
        where isWanted: @escaping @Sendable (BridgeStatus) -> Bool
    ) async throws -> BridgeStatus {
        for await state in status.states.values {
            if let status = state.value, isWanted(status) { return status }
        }
        throw CancellationError()
    }
}
#endif
