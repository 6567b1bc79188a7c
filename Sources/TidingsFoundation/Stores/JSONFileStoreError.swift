// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that `error.code` needs no further import.
@_exported public import TidingsErrors

/// A failure of a ``JSONFileStore``.
///
/// ```swift
/// let lessons = Resource(store: store, storeFailed: { error in
///     if (error as? JSONFileStoreError)?.code == .diskFull { warn() }
/// }) { try await catalog.lessons() }
/// ```
public typealias JSONFileStoreError = CodedError<JSONFileStoreErrorCode>

/// The codes of ``JSONFileStoreError``.
@nonexhaustive public enum JSONFileStoreErrorCode: String, ErrorCode {
    /// The store has renamed the file, which is incomplete or not in this store's format.
    case damaged
    /// A newer version of the program has written the file, which stays unchanged.
    case newerVersion
    /// The file, or the encoded value, is larger than the store's limit.
    case tooLarge
    /// The value cannot be encoded as JSON.
    case notEncodable
    /// The system refuses to read the file.
    case notReadable
    /// The system refuses to write or remove the file.
    case notWritable
    /// The disk is full.
    case diskFull
}
