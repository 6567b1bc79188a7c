// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
import TidingsDiagnostics
import TidingsFiles

extension DownloadError: ReportableError {
    /// The name of the code.
    package var reportCode: String? { code.description }
    /// The message for the user, without the addresses that it lists.
    package var reportMessage: String { redactedMessage ?? message }
    /// The error of the lower layer, which the report lists as the cause.
    package var reportCause: (any Error)? { cause }
    /// The source location that created the error.
    package var reportLocation: String? { location }
}

extension SystemError: ReportableError {
    /// The error number of the system.
    package var reportCode: String? { "\(number)" }
    /// The operation, the path and the reason of the system.
    package var reportMessage: String { descriptionWithPath }
}
