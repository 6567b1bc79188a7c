// SPDX-License-Identifier: Apache-2.0
package import TidingsDiagnostics

/// The reports that the routes of the API and the commands show, send and delete.
package protocol ReportsService: Sendable {
    /// Returns the list of reports with the state of recording and sending.
    func overview() async throws -> ReportsOverview
    /// Returns one whole report, or nil if the report does not exist.
    func report(_ id: String) async throws -> ReportRepresentation?
    /// Stores whether reports may be sent.
    func setConsent(_ consent: ReportConsent) async throws
    /// Sends the unsent reports and waits up to five seconds.
    func send() async throws
    /// Deletes one report and returns whether it existed.
    func delete(_ id: String) async throws -> Bool
    /// Deletes everything that was recorded before the call.
    func deleteAll() async throws
}

/// The reports of the process that serves this protocol.
package protocol ReportRecorder: ReportsService {
    /// The faults of the recording, each with the remedy.
    var problems: [String] { get }
    /// Records a test report and returns the identifier, or nil while the recording is off.
    func recordTest() -> Report.ID?
}
