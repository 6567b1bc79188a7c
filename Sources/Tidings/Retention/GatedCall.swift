// SPDX-License-Identifier: Apache-2.0

/// A live message that waits behind the replay of one registration.
///
/// Called once, by the thread that runs the replay.
typealias GatedCall = @Sendable (Registration) -> Void

extension Registration {
    /// Keeps a live message until this registration's replay is over; false if it is over, or if
    /// there is none.
    func holdsBack(_ call: @autoclosure () -> GatedCall) -> Bool {
        guard flags.contains(.gated), let gate = context.gate else { return false }
        return gate.holds(call())
    }
}
