// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Something a library was asked to do and could not.
package typealias LibraryError = CodedError<LibraryErrorCode>

/// The kinds of ``LibraryError``.
package enum LibraryErrorCode: String, ErrorCode {
    /// There is no such item.
    case notFound
    /// Another process works on this library.
    case inUse
    /// The address cannot be fetched by this program.
    case invalidAddress
    /// The rendition is neither `best` nor a height such as `720p`.
    case unknownRendition
    /// The library's folder or its files cannot be read or written.
    case cannotOpen
    /// A newer version of the program wrote this library.
    case newerVersion
    /// The registry refused a change.
    case database
    /// The item is not in a state that can be tried again.
    case notRetryable
    /// What was asked for needs the running server.
    case unavailable
}
