// SPDX-License-Identifier: Apache-2.0
package import Tidings
import TidingsDiagnostics
package import TidingsHTTP

// How this program's errors look in a report: their code apart, and what caused them beneath.

extension DownloadError: ReportableError {
    package var reportCode: String? { code.description }
    package var reportMessage: String { message }
    package var reportCause: (any Error)? { cause }
    package var reportLocation: String? { location }
}

extension CodedError: ReportableError {
    /// The name by which the module calls its errors, which is that of its codes less one word.
    package var reportDomain: String {
        let name = String(reflecting: Kind.self)
        return name.hasSuffix("Code") ? String(name.dropLast(4)) : name
    }

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

extension DiskError: ReportableError {
    package var reportCode: String? { "\(number)" }
    package var reportMessage: String { description }
}
