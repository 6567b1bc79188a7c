// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP
import TidingsLock

/// The speed limits of the running items; all requests of an item share its limit.
///
/// Safe from any thread.
final class ItemLimits: Sendable {
    private let limits = Lock<[ItemID: TransferLimit]>([:])

    /// Returns the limit of an item that starts.
    ///
    /// Also an item without a limit gets an object, so that a later request can limit it while it
    /// runs.
    func begin(_ id: ItemID, _ limit: SpeedLimit?) -> TransferLimit {
        let created = TransferLimit(rate: limit?.rate)
        limits.withLock { $0[id] = created }
        return created
    }

    /// Forgets the limit of an item that no longer runs.
    func end(_ id: ItemID) {
        limits.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Changes the limit of an item if it runs; its transfers follow within a quarter of a second.
    func change(_ id: ItemID, to limit: SpeedLimit) {
        limits.withLock { $0[id] }?.set(limit.rate)
    }

    /// Returns the bytes per second of an item; nil without a limit.
    func rate(of id: ItemID) -> Int64? {
        limits.withLock { $0[id] }?.rate
    }
}
