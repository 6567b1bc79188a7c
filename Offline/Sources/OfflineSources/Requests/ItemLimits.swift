// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP
import TidingsLock

/// The speed limits of the running items.
///
/// All requests of an item share one limit.
///
/// The limits are safe to use from any thread.
package final class ItemLimits: Sendable {
    private let limits = Lock<[ItemID: TransferLimit]>([:])

    /// Returns the limit of an item that starts.
    ///
    /// An item without a limit also gets an object, so that a later request can limit the running
    /// item.
    package func begin(_ id: ItemID, _ limit: SpeedLimit?) -> TransferLimit {
        let created = TransferLimit(rate: limit?.rate)
        limits.withLock { $0[id] = created }
        return created
    }

    /// Removes the limit of an item that no longer runs.
    package func end(_ id: ItemID) {
        limits.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Changes the limit of a running item.
    ///
    /// Transfers follow the new limit within a quarter of a second. The call does nothing if the
    /// item does not run.
    package func change(_ id: ItemID, to limit: SpeedLimit) {
        limits.withLock { $0[id] }?.set(limit.rate)
    }

    /// Returns the bytes per second of an item, or nil without a limit.
    package func rate(of id: ItemID) -> Int64? {
        limits.withLock { $0[id] }?.rate
    }
}
