// SPDX-License-Identifier: Apache-2.0
// Re-exported so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// An error that prevents the reporter from starting, or a report from being kept.
public typealias DiagnosticsError = CodedError<DiagnosticsErrorCode>

/// The codes of ``DiagnosticsError``.
@nonexhaustive public enum DiagnosticsErrorCode: String, ErrorCode {
    /// The report folder or a file in the folder cannot be created, read or written.
    case folderUnusable
    /// A report could not be written because the disk is full, or too slow for all errors.
    case notWritten
}
