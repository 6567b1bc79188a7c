// SPDX-License-Identifier: Apache-2.0

/// One observation of values of one type: its record and how its observer is reached.
///
/// Homes keep registrations and tokens keep records, so that what a handler captured is released
/// when the observation ends, not when its token goes.
final class Registration<Input: Sendable>: Sendable {
    /// How the observer is reached.
    enum Call: Sendable {
        case plain(@Sendable (Input) -> Void)
        case owned(@Sendable (AnyObject, Input) -> Void)
        case main(@MainActor @Sendable (Input) -> Void)
        case ownedMain(@MainActor @Sendable (AnyObject, Input) -> Void)
    }

    let record: ObservationRecord
    private let call: Call

    init(
        priority: ObservationPriority = .normal,
        owner: (any AnyObject & Sendable)? = nil,
        call: Call
    ) {
        record = ObservationRecord(
            priority: priority,
            input: ObjectIdentifier(Input.self),
            owner: owner,
            isMain: call.isMain
        )
        self.call = call
    }

    /// Calls the handler unless the observation has ended; false if it can never be called again
    /// because its owner died.
    ///
    /// The flag is read after the owner was taken, so nothing stands between it and the call.
    /// A main-actor handler must only be called where ``MainActorCheck`` says yes.
    func deliver(_ input: Input) -> Bool {
        switch call {
        case .plain(let handler):
            if record.isActive { handler(input) }
        case .owned(let handler):
            guard let owner = record.owner else { return false }
            if record.isActive { handler(owner, input) }
        case .main(let handler):
            MainActor.assumeIsolated {
                if record.isActive { handler(input) }
            }
        case .ownedMain(let handler):
            guard let owner = record.owner else { return false }
            MainActor.assumeIsolated {
                if record.isActive { handler(owner, input) }
            }
        }
        return true
    }
}

extension Registration.Call {
    fileprivate var isMain: Bool {
        switch self {
        case .plain, .owned: false
        case .main, .ownedMain: true
        }
    }
}
