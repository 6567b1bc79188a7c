// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDiagnostics

extension Report {
    /// Creates a report that was recorded `second` seconds after 1970.
    static func sample(_ second: Int, isCrash: Bool = false, message: String = "") -> Report {
        let digits = String(second)
        let id = String("00000000-0000-4000-8000-000000000000".dropLast(digits.count)) + digits
        var report = Report(
            id: id,
            date: Date(timeIntervalSince1970: TimeInterval(second)),
            level: isCrash ? .fatal : .error,
            application: "a",
            release: "a@1",
            errors: [ReportedError(domain: "d", message: message)],
            context: [:],
            values: [:],
            breadcrumbs: []
        )
        if isCrash {
            report.crash = ReportedCrash(signal: "SIGILL", number: 4, code: 1, thread: 1)
        }
        return report
    }
}
