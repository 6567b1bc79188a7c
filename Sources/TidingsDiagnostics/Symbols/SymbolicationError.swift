// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// An error that prevents the symbolication of a report.
package typealias SymbolicationError = CodedError<SymbolicationErrorCode>

/// The codes of ``SymbolicationError``.
package enum SymbolicationErrorCode: String, ErrorCode {
    /// The report does not belong to the build of the given file.
    case otherBuild
}
