// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The period between two changes of a state, as recorded for the state's readers.
///
/// The epoch travels in a key path in a reader's list of accesses. Observation hashes that key path
/// when the tracking of the reader starts, under the lock that every later change waits for. If the
/// epoch is over by then, the reader missed a change, and the epoch reports the reader as late.
///
/// Observation also hashes the key path on other occasions. A report without a late reader calls
/// nobody.
final class ReadEpoch: Hashable, Sendable {
    private weak let bridge: ObservationBridge?
    private let isOver = Atomic(false)

    init(of bridge: ObservationBridge) {
        self.bridge = bridge
    }

    /// Ends the epoch after a change, before the readers are notified.
    func end() {
        isOver.store(true, ordering: .sequentiallyConsistent)
    }

    static func == (left: ReadEpoch, right: ReadEpoch) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
        if isOver.load(ordering: .sequentiallyConsistent) { bridge?.readersAreLate(in: self) }
    }
}

/// A marker without content that records each hashing by Observation, which happens only for a
/// tracked reader.
struct TrackingMark: Hashable, Sendable {
    /// Calls `body` and returns whether this thread hashed a mark during the call.
    static func isHashed(_ body: () -> Void) -> Bool {
        let thread = DeliveryThread.current
        thread.state { $0.isMarkHashed = false }
        body()
        return thread.state { $0.isMarkHashed }
    }

    func hash(into hasher: inout Hasher) {
        DeliveryThread.current.state { $0.isMarkHashed = true }
    }
}
