// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// The reason why an XML document cannot be read.
///
/// The message names the line but never contains text of the document.
package typealias XMLError = CodedError<XMLErrorCode>

/// The kinds of ``XMLError``.
package enum XMLErrorCode: String, ErrorCode {
    /// The bytes violate the format, or end too early.
    case malformed
    /// The document is in another encoding than UTF-8.
    case encoding
    /// The document declares entities or types, which can grow without limit.
    case declarations
    /// The document exceeds a limit.
    case tooLarge
}
