// SPDX-License-Identifier: Apache-2.0
package import TidingsDiagnostics

/// The operations on the reports of errors and crashes.
package struct ReportOperations: Sendable {
    /// Returns the reports on this machine, with the state of recording and sending.
    package let list = get("/reports") { (reports: any ReportRecorder, _: NoContent) in
        try await reports.overview()
    }

    /// Deletes all reports.
    package let removeAll = delete("/reports") { (reports: any ReportRecorder, _: NoContent) in
        try await reports.deleteAll()
        return try await reports.overview()
    }

    /// Returns one report.
    package let report = get("/reports/{id}", 404) { (reports: any ReportRecorder, id: String) in
        guard let report = try await reports.report(id) else { throw APIError(noReport: id) }
        return report
    }

    /// Deletes one report.
    package let remove = delete("/reports/{id}", 404) { (reports: any ReportRecorder, id: String) in
        guard try await reports.delete(id) else { throw APIError(noReport: id) }
        return try await reports.overview()
    }

    /// Records a test report.
    package let recordTest = post("/reports/test", 409, status: 201) {
        (reports: any ReportRecorder, _: NoContent) in
        guard let id = reports.recordTest() else {
            throw APIError(
                .notRecording,
                (["Reports are not recorded."] + reports.problems).joined(separator: " ")
            )
        }
        return TestReportJSON(id: id)
    }

    /// Sets the consent to send reports.
    package let setConsent = post("/reports/consent", 409) {
        (reports: any ReportRecorder, wanted: ConsentJSON) in
        guard wanted.consent != .unknown else {
            throw APIError(.badRequest, "Unknown answer. Use “given” or “revoked”.")
        }
        try await reports.setConsent(wanted.consent)
        return try await reports.overview()
    }

    /// Sends the reports now.
    package let send = post("/reports/send", 409) { (reports: any ReportRecorder, _: NoContent) in
        try await reports.send()
        return try await reports.overview()
    }
}

extension APIError {
    fileprivate init(noReport id: String) {
        self.init(
            .notFound,
            "There is no report “\(id.prefix(40))”: it was sent or deleted. Load the list again."
        )
    }
}

/// The identifier of a report, a notification or a lesson.
extension String: PathInput {
    /// Takes any value.
    package init(pathValue text: String) { self = text }

    /// The identifier.
    package var pathValue: String { self }
}

/// The identifier of a new test report.
package struct TestReportJSON: Codable, Sendable {
    let id: String
}

/// The request of `POST /api/reports/consent`, with `given` or `revoked`.
package struct ConsentJSON: JSONInput {
    let consent: ReportConsent

    /// Creates a request.
    package init(consent: ReportConsent) { self.consent = consent }
}
