// SPDX-License-Identifier: Apache-2.0
import Observation
import Synchronization
import TidingsLock

/// Lets Swift's Observation track a publisher's state.
///
/// What is tracked is this object, not the publisher: a key path into a type without generic
/// parameters is made once, one into a generic type at every use.
///
/// The library begins to track a reader when its closure has returned. A change on another thread
/// between the read and that moment finds nobody to call, so each tracked read leaves a
/// ``ReadEpoch`` with the reader, which calls for the change again.
final class ObservationBridge: Observable, Sendable {
    private typealias Path = KeyPath<ObservationBridge, Void> & Sendable

    /// Those who have read since the last change, and how a reader's tracking refers to them.
    private struct Reading: Sendable {
        let epoch: ReadEpoch
        let path: any Path
    }

    private let registrar = ObservationRegistrar()
    /// Whether anybody ever read the state: only then can a reader be tracked.
    private let isRead = Atomic(false)
    /// Nil until the first tracked read after a change.
    private let reading = Lock<Reading?>(nil)

    /// Stands for the state.
    private static let state: any Path = \ObservationBridge.[TrackingMark()]

    /// Stands for the state; what is in brackets only travels with the key path.
    private subscript(mark: TrackingMark) -> Void { () }
    private subscript(epoch: ReadEpoch) -> Void { () }

    /// Called before the state is read, not after: a change that comes between is seen.
    func access() {
        if !isRead.load(ordering: .relaxed) {
            isRead.store(true, ordering: .sequentiallyConsistent)
        }
        let isTracked = TrackingMark.isHashed { registrar.access(self, keyPath: Self.state) }
        if isTracked { registrar.access(self, keyPath: currentPath()) }
    }

    /// Told after the change, not before: a reader that is woken on another thread would read the
    /// old state and never hear of the new one.
    @inline(__always)
    func changed() {
        if isRead.load(ordering: .sequentiallyConsistent) { wakeReaders() }
    }

    @inline(never)
    private func wakeReaders() {
        wakeReaders(of: reading.withLock { $0.take() }?.epoch)
    }

    /// Calls all who are tracked now.
    ///
    /// - Parameter epoch: Those who have read what is no longer true.
    func wakeReaders(of epoch: ReadEpoch?) {
        epoch?.beginWaking()
        registrar.withMutation(of: self, keyPath: Self.state) {}
        epoch?.endWaking()
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
