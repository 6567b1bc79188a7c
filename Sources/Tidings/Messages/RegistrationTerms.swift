// SPDX-License-Identifier: Apache-2.0

/// What an observation is made with, apart from its handler.
struct RegistrationTerms: Sendable {
    var home: RegistrationHome
    var priority = ObservationPriority.normal
    var traits: RegistrationTraits = []
    var source: SourceLocation
    var extras: RegistrationExtras?
}

/// What only few observations have.
final class RegistrationExtras: Sendable {
    /// Asked before each call, in the sender's thread: a filter.
    let admission: (@Sendable (Incoming) -> Bool)?
    let subject: SubjectFilter?
    /// Told once, when the observation ends, by whoever ends it.
    let didEnd: (@Sendable () -> Void)?
    /// Where its calls wait for the main actor, if they may have to.
    let lane: MainLane?
    /// Where live messages wait behind a replay.
    let gate: ReplayGate<GatedCall>?

    init(
        admission: (@Sendable (Incoming) -> Bool)? = nil,
        subject: SubjectFilter? = nil,
        didEnd: (@Sendable () -> Void)? = nil,
        lane: MainLane? = nil,
        gate: ReplayGate<GatedCall>? = nil
    ) {
        self.admission = admission
        self.subject = subject
        self.didEnd = didEnd
        self.lane = lane
        self.gate = gate
    }

    /// The same, or nothing else, with something to do when the observation ends.
    static func adding(
        to extras: RegistrationExtras?,
        didEnd: @escaping @Sendable () -> Void
    ) -> RegistrationExtras {
        let before = extras?.didEnd
        return RegistrationExtras(
            admission: extras?.admission,
            subject: extras?.subject,
            didEnd: {
                before?()
                didEnd()
            },
            lane: extras?.lane,
            gate: extras?.gate
        )
    }
}
