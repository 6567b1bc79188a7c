// SPDX-License-Identifier: Apache-2.0
import Observation
import Synchronization
import TidingsLock

/// Makes a publisher's state observable by Swift's Observation.
///
/// Observation tracks this object and not the publisher, because a key path into a type without
/// generic parameters is created once. A key path into a generic type is created at every use.
///
/// Observation starts to track a reader when the reader's closure has returned. A change on another
/// thread between the read and that moment finds no tracked reader. Each tracked read therefore
/// leaves a ``ReadEpoch`` with the reader, and the epoch reports a reader that is late.
///
/// A change notifies the readers of one epoch. Observation keeps a reader for good if a change
/// comes at the moment between the reader's registration and the end of the start. A path that all
/// epochs share would call such a reader again for each later change.
final class ObservationBridge: Observable, Sendable {
    private typealias Path = KeyPath<ObservationBridge, Void> & Sendable

    /// The epoch of the reads since the last change, and the key path that refers to the epoch.
    private struct Reading: Sendable {
        let epoch: ReadEpoch
        let path: any Path
    }

    private let registrar = ObservationRegistrar()
    /// Whether the state was ever read, because only then can a reader be tracked.
    private let isRead = Atomic(false)
    /// Nil until the first tracked read after a change.
    private let reading = Lock<Reading?>(nil)
    private let wakes = Lock(ReaderWakes())
    /// The thread that notifies readers, or zero.
    private let waker = Atomic<UInt>(0)

    private static let roundLimit = 100

    /// Detects a tracked read, and is never notified.
    private static let mark: any Path = \ObservationBridge.[TrackingMark()]

    /// Represents the state.
    ///
    /// The subscript's argument only travels with the key path.
    private subscript(mark: TrackingMark) -> Void { () }
    private subscript(epoch: ReadEpoch) -> Void { () }

    /// Records a read of the state.
    ///
    /// The caller records the read before reading the state, so that no change in between is
    /// missed.
    func access() {
        if !isRead.load(ordering: .relaxed) {
            isRead.store(true, ordering: .sequentiallyConsistent)
        }
        let isTracked = TrackingMark.isHashed { registrar.access(self, keyPath: Self.mark) }
        if isTracked { registrar.access(self, keyPath: currentPath()) }
    }

    /// Notifies the tracked readers of a change that was made.
    ///
    /// Before the change, a reader that wakes on another thread would read the old state and would
    /// not be notified of the new state. If another thread notifies at the moment, that thread also
    /// notifies of this change.
    @inline(__always)
    func changed() {
        if isRead.load(ordering: .sequentiallyConsistent) { wakeReaders() }
    }

    @inline(never)
    private func wakeReaders() {
        guard let epoch = reading.withLock({ $0.take() })?.epoch else { return }
        epoch.end()
        if wakes.withLock({ $0.request(epoch) }) { wake() }
    }

    /// Notifies the readers that started to be tracked after the end of their epoch.
    ///
    /// Observation holds the lock of the registrar, so a task notifies later.
    func readersAreLate(in epoch: ReadEpoch) {
        // If this thread notifies, Observation drops readers. A reader that starts on this thread
        // at the same time is notified of the change that ended the epoch, which is still due.
        guard waker.load(ordering: .relaxed) != DeliveryThread.current.identity else { return }
        if wakes.withLock({ $0.request(epoch) }) { Task.detached { self.wake() } }
    }

    /// Whether no reader is due and no thread notifies.
    var isAtRest: Bool { wakes.withLock { !$0.isWaking } }

    /// Notifies readers until none is due, also those that become due meanwhile.
    ///
    /// After many rounds, a task goes on, so that the caller can return.
    private func wake() {
        for _ in 0..<Self.roundLimit {
            guard let epochs = wakes.withLock({ $0.next() }) else { return }
            waker.store(DeliveryThread.current.identity, ordering: .relaxed)
            for epoch in epochs {
                registrar.withMutation(of: self, keyPath: \ObservationBridge.[epoch]) {}
            }
            waker.store(0, ordering: .relaxed)
        }
        Task.detached { self.wake() }
    }

    private func currentPath() -> any Path {
        reading.withLock { reading in
            if let reading { return reading.path }
            let epoch = ReadEpoch(of: self)
            let new = Reading(epoch: epoch, path: \ObservationBridge.[epoch])
            reading = new
            return new.path
        }
    }
}
