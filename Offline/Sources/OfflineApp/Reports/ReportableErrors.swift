// SPDX-License-Identifier: Apache-2.0
import OfflineModel
package import TidingsDiagnostics
import TidingsFiles

extension DownloadError: ReportableError {
    /// The code, the line, and the message for the user without the addresses that the message
    /// lists.
    package var reported: ReportedError {
        ReportedError(
            domain: String(reflecting: Self.self),
            code: code.description,
            message: redactedMessage ?? message,
            location: location
        )
    }
    /// The error of the lower layer, which the report lists as the cause.
    package var reportCause: (any Error)? { cause }
}

extension SystemError: ReportableError {
    /// The error number of the system, and the operation with the path and the system's reason.
    package var reported: ReportedError {
        ReportedError(
            domain: String(reflecting: Self.self),
            code: "\(number)",
            message: descriptionWithPath
        )
    }
}
