// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics
package import TidingsHTTP
package import TidingsSQLite

// How this program's errors look in a report: their code apart, and what caused them beneath.

extension DownloadError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension LibraryError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension PlaylistError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension MediaError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension HTTPError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension SQLiteError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension DiskError: ReportableError {
    package var reportCode: String? { "\(number)" }
    package var reportMessage: String { description }
}
