// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

/// An error whose report names the library's folder only as “the library”.
///
/// The redaction removes home folders, but a library can be on any disk, whose name may be private.
struct PathlessError: ReportableError {
    let reportDomain: String
    let reportCode: String?
    let reportMessage: String
    let reportCause: (any Error)?
    let reportLocation: String?

    init(_ error: any ReportableError, folder: String) {
        reportDomain = error.reportDomain
        reportCode = error.reportCode
        reportMessage = error.reportMessage.replacing(folder, with: "the library")
        reportCause = error.reportCause.map { cause in
            (cause as? any ReportableError).map { Self($0, folder: folder) } ?? cause
        }
        reportLocation = error.reportLocation
    }
}
