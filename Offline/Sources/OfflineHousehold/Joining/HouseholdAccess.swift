// SPDX-License-Identifier: Apache-2.0
import TidingsBridge

/// The faults of a connection that the user has to fix.
///
/// Each fault is reported once.
///
/// A later attempt overcomes any other fault, except perhaps before the first connection, when the
/// address may be wrong.
struct HouseholdAccess {
    /// How long a connection has to last.
    ///
    /// A server may accept a connection and then refuse the messages.
    static let trial = Duration.seconds(5)

    /// The fault that was reported to the user.
    private var known: String?
    private var connectedSince: Duration?
    private var wasConnected = false

    /// Records the state of the connection.
    ///
    /// - Parameters:
    ///   - isConnected: Whether there is a connection.
    ///   - fault: The reason why the last connection ended or could not be made.
    ///   - time: The duration since any fixed moment.
    /// - Returns: The change to report to the user, or nil if there is nothing to report.
    mutating func note(
        isConnected: Bool,
        fault: TransportError?,
        at time: Duration
    ) -> HouseholdAccessChanged? {
        guard isConnected else {
            connectedSince = nil
            guard let fault, isForPerson(fault), fault.message != known else { return nil }
            known = fault.message
            return HouseholdAccessChanged(problem: fault.message)
        }
        wasConnected = true
        let begin = connectedSince ?? time
        connectedSince = begin
        guard known != nil, time - begin >= Self.trial else { return nil }
        known = nil
        return HouseholdAccessChanged(problem: nil)
    }

    private func isForPerson(_ fault: TransportError) -> Bool {
        fault.isPermanent || (!wasConnected && known == nil)
    }
}
