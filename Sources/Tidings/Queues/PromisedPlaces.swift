// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Places in the queues of a message's recipients, reserved for that message.
///
/// The deinitializer gives back the places that the message did not need.
final class PromisedPlaces: Sendable {
    private let queues: Lock<[UInt64: any ObservationQueue]>
    /// The results of the filters that were called before the message waited.
    private let answers: [UInt64: Bool]

    init(_ queues: [UInt64: any ObservationQueue], answers: [UInt64: Bool]) {
        self.queues = Lock(queues)
        self.answers = answers
    }

    deinit {
        for queue in queues.withLock({ $0 }).values { queue.giveBack() }
    }

    /// Takes the place that was promised in the queue of an observation, if one was.
    func take(_ registration: Registration) -> Bool {
        queues.withLock { $0.removeValue(forKey: registration.identifier) } != nil
    }

    /// Returns the result of an observation's filter, if it was called.
    func isWanted(by registration: Registration) -> Bool? {
        answers[registration.identifier]
    }
}
