// SPDX-License-Identifier: Apache-2.0
import Observation
import Synchronization

/// Lets Swift's Observation track a publisher's state.
///
/// What is tracked is this object, not the publisher: a key path into a type without generic
/// parameters is made once, one into a generic type at every use.
final class ObservationBridge: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether anybody ever read the state: only then can a reader be tracked.
    private let isRead = Atomic(false)

    /// Stands for the state.
    private var state: Void { () }

    func access() {
        if !isRead.load(ordering: .relaxed) {
            isRead.store(true, ordering: .sequentiallyConsistent)
        }
        registrar.access(self, keyPath: \.state)
    }

    /// Told after the change, not before: a reader that is woken on another thread would read the
    /// old state and never hear of the new one.
    @inline(__always)
    func changed() {
        if isRead.load(ordering: .sequentiallyConsistent) { wakeReaders() }
    }

    @inline(never)
    private func wakeReaders() {
        registrar.withMutation(of: self, keyPath: \.state) {}
    }
}
