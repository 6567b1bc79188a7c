// SPDX-License-Identifier: Apache-2.0
// Re-exported so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// An error that prevents the reporter from starting, or a report from being kept.
public typealias DiagnosticsError = CodedError<DiagnosticsErrorCode>

/// The codes of ``DiagnosticsError``.
@nonexhaustive public enum DiagnosticsErrorCode: String, ErrorCode {
    /// The report folder cannot be created or written.
    case folderUnusable
    /// A report could not be written, for example because the disk is full.
    case notWritten
    /// Errors were recorded faster than the disk could store them.
    case tooMany
    /// The report does not belong to the build of the given file.
    case otherBuild
    /// Some files of the reporter belong to another user, for example after a run as root.
    case otherOwner
}
