// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Places in the queues of a message's recipients, kept for that message.
///
/// Those that it did not need in the end are given back when this is dropped.
final class PromisedPlaces: Sendable {
    private let queues: Lock<[UInt64: any ObservationQueue]>
    /// What filters have said that were asked before the message waited.
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

    /// What the filter of an observation has said, if it was asked.
    func isWanted(by registration: Registration) -> Bool? {
        answers[registration.identifier]
    }
}
