// SPDX-License-Identifier: Apache-2.0
import Observation

/// Lets Swift's Observation track a publisher's state.
///
/// What is tracked is this object, not the publisher: a key path into a type without generic
/// parameters is made once, one into a generic type at every use.
final class ObservationBridge: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// Stands for the state.
    private var state: Void { () }

    func access() {
        registrar.access(self, keyPath: \.state)
    }

    /// Told after the change, not before: a reader that is woken on another thread would read the
    /// old state and never hear of the new one.
    func changed() {
        registrar.withMutation(of: self, keyPath: \.state) {}
    }
}
