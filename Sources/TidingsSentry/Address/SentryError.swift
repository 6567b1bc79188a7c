// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// An invalid DSN.
///
/// The message never contains the key.
public typealias SentryError = CodedError<SentryErrorCode>

/// The codes of ``SentryError``.
@nonexhaustive public enum SentryErrorCode: String, ErrorCode {
    /// The DSN is not an HTTP or HTTPS address.
    case invalidAddress
    /// The DSN has no valid public key before the host.
    case missingKey
    /// The DSN does not end with a valid project.
    case missingProject
}
