// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The time between two changes of a state, as those remember it who have read it then.
///
/// It travels in a key path among what a reader has accessed. The library hashes that key path when
/// it begins to track the reader, under the lock that every later change waits for. An epoch that
/// is over by then was left by a change that the reader does not know, and has it called again.
final class ReadEpoch: Hashable, Sendable {
    private weak let bridge: ObservationBridge?
    /// Whether it goes on or is over; or else the thread that calls its readers.
    private let phase = Atomic<UInt>(ReadEpoch.current)

    private static let current: UInt = 0
    private static let over: UInt = 1

    init(of bridge: ObservationBridge) {
        self.bridge = bridge
    }

    /// Notes that this thread calls the readers, who forget the key path then.
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

    /// Calls readers when the library has let go of its lock.
    private func wakeLater() {
        Task.detached { [self] in bridge?.wakeReaders(of: self) }
    }
}

/// Stands for nothing, and notes that the library looks at it: it does so for a tracked reader.
struct TrackingMark: Hashable, Sendable {
    /// Calls `body` and says whether a mark was hashed meanwhile on this thread.
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
