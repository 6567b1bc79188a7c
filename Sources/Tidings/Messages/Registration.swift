// SPDX-License-Identifier: Apache-2.0

/// One observation: its record and how its observer is reached.
///
/// Homes keep registrations and tokens keep records, so that what a handler captured is released
/// when the observation ends, not when its token goes. It is not generic: what it receives is an
/// ``Incoming`` of the type that its record names, so that a post calls handlers of any type
/// through the same few instructions.
final class Registration: Sendable {
    /// How the observer is reached: with what comes in, and the owner if there is one.
    typealias Handler = @Sendable (Incoming, AnyObject?) -> Void

    let record: ObservationRecord
    private let handler: Handler

    init<Input>(
        of input: Input.Type,
        priority: ObservationPriority = .normal,
        isMain: Bool = false,
        owner: (any AnyObject & Sendable)? = nil,
        handler: @escaping Handler
    ) {
        record = ObservationRecord(
            priority: priority,
            input: ObjectIdentifier(input),
            owner: owner,
            isMain: isMain
        )
        self.handler = handler
    }

    /// Calls the handler unless the observation has ended; false if it can never be called again
    /// because its owner died.
    ///
    /// The flag is read after the owner was taken, so nothing stands between it and the call.
    /// One for the main actor must only be called where ``MainActorCheck`` says yes.
    func deliver(_ input: Incoming) -> Bool {
        if record.isOwned {
            guard let owner = record.owner else { return false }
            if record.isActive { handler(input, owner) }
        } else if record.isActive {
            handler(input, nil)
        }
        return true
    }
}
