// SPDX-License-Identifier: Apache-2.0
public import Observation

/// Lets Swift's Observation track a publisher's state.
struct ObservationBridge: Sendable {
    private let registrar = ObservationRegistrar()

    func access<Value>(_ publisher: StatePublisher<Value>) {
        registrar.access(publisher, keyPath: \.state)
    }

    /// Told after the change, not before: a reader that is woken on another thread would read the
    /// old state and never hear of the new one.
    func changed<Value>(_ publisher: StatePublisher<Value>) {
        registrar.withMutation(of: publisher, keyPath: \.state) {}
    }
}

extension StatePublisher: Observable {}
