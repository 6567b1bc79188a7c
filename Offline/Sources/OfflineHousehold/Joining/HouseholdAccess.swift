// SPDX-License-Identifier: Apache-2.0
import TidingsBridge

/// The faults of a connection that a person has to mend, each once.
///
/// A later attempt overcomes any other fault, except perhaps before the first connection: then the
/// address may be wrong.
struct HouseholdAccess {
    /// How long a connection has to last: a server may accept it and then refuse its messages.
    static let trial = Duration.seconds(5)

    /// The fault that a person knows of.
    private var known: String?
    private var connectedSince: Duration?
    private var wasConnected = false

    /// Takes the state of the connection.
    ///
    /// - Parameters:
    ///   - isConnected: Whether there is a connection.
    ///   - fault: Why the last connection ended, or could not be made.
    ///   - time: The duration since any fixed moment.
    /// - Returns: The change for a person, if there is one.
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
