// SPDX-License-Identifier: Apache-2.0

/// A live message that waits behind the replay of one registration.
///
/// Called once, by the thread that makes the replay.
typealias GatedCall = @Sendable (Registration) -> Void

extension Registration {
    /// Keeps a live message until this registration was told of what was retained; false if it
    /// was, or if nothing was retained for it.
    func holdsBack(_ call: @autoclosure () -> GatedCall) -> Bool {
        guard flags.contains(.gated), let gate = extras?.gate else { return false }
        return gate.holds(call())
    }
}

extension RegistrationExtras {
    /// The same with a gate.
    convenience init(_ extras: RegistrationExtras?, gate: ReplayGate<GatedCall>) {
        self.init(
            filter: extras?.filter,
            subject: extras?.subject,
            didEnd: extras?.didEnd,
            mainBuffer: extras?.mainBuffer,
            gate: gate
        )
    }
}
