// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The period between two changes of a state, as recorded for the state's readers.
///
/// The epoch travels in a key path in a reader's list of accesses. Observation hashes that key path
/// when the tracking of the reader starts, under the lock that every later change waits for. If the
/// epoch is over by then, the reader missed a change, and the epoch notifies the reader again.
final class ReadEpoch: Hashable, Sendable {
    private weak let bridge: ObservationBridge?
    /// Either current, over, or the thread that notifies the epoch's readers.
    private let phase = Atomic<UInt>(ReadEpoch.current)

    private static let current: UInt = 0
    private static let over: UInt = 1

    init(of bridge: ObservationBridge) {
        self.bridge = bridge
    }

    /// Records that this thread notifies the readers, which then drop the key path.
    func beginWaking() {
        phase.store(DeliveryThread.current.identity, ordering: .sequentiallyConsistent)
    }

    func endWaking() {
        phase.store(Self.over, ordering: .sequentiallyConsistent)
    }

    static func == (left: ReadEpoch, right: ReadEpoch) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
        let phase = phase.load(ordering: .sequentiallyConsistent)
        if phase != Self.current, phase != DeliveryThread.current.identity { wakeLater() }
    }

    /// Notifies the readers after Observation has released the lock.
    private func wakeLater() {
        Task.detached { [self] in bridge?.wakeReaders(of: self) }
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
