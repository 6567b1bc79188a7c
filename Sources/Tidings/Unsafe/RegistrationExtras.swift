// SPDX-License-Identifier: Apache-2.0

/// What only few observations have.
///
/// Invariant: the admission is replaced once, by nil, after `Readers` has seen every reader leave
/// that may have found the registration active; it is read only by readers, or by whoever makes the
/// registration. Everything else is constant.
final class RegistrationExtras: @unchecked Sendable {
    /// Asked before each call, in the sender's thread: a filter.
    private(set) var filter: (@Sendable (Incoming) -> Bool)?
    let subject: SubjectFilter?
    /// Told once, when the observation ends, by whoever ends it.
    let didEnd: (@Sendable () -> Void)?
    /// Where its calls wait for the main actor, if they may have to.
    let mainBuffer: MainActorBuffer?
    /// Where live messages wait behind a replay.
    let gate: ReplayGate<GatedCall>?

    init(
        filter: (@Sendable (Incoming) -> Bool)? = nil,
        subject: SubjectFilter? = nil,
        didEnd: (@Sendable () -> Void)? = nil,
        mainBuffer: MainActorBuffer? = nil,
        gate: ReplayGate<GatedCall>? = nil
    ) {
        self.filter = filter
        self.subject = subject
        self.didEnd = didEnd
        self.mainBuffer = mainBuffer
        self.gate = gate
    }

    /// Drops the filter and what it captured; only when nobody can be reading it.
    func releaseFilter() {
        let released = filter
        filter = nil
        // Released here, when nothing is being written: it may be anybody's deinit.
        withExtendedLifetime(released) {}
    }

    /// The same, or nothing else, with something to do when the observation ends.
    static func adding(
        to extras: RegistrationExtras?,
        didEnd: @escaping @Sendable () -> Void
    ) -> RegistrationExtras {
        let before = extras?.didEnd
        return RegistrationExtras(
            filter: extras?.filter,
            subject: extras?.subject,
            didEnd: {
                before?()
                didEnd()
            },
            mainBuffer: extras?.mainBuffer,
            gate: extras?.gate
        )
    }
}
