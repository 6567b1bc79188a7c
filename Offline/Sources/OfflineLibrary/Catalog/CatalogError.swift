// SPDX-License-Identifier: Apache-2.0
package import TidingsErrors

/// The reason why a catalog cannot be loaded, or why a lesson in it cannot be downloaded.
package typealias CatalogError = CodedError<CatalogErrorCode>

/// The kinds of ``CatalogError``.
package enum CatalogErrorCode: String, ErrorCode {
    /// No catalog is chosen.
    case noAddress
    /// The document is not JSON.
    case notJSON
    /// The document is JSON, but not a catalog.
    case notACatalog
    /// The document has a newer format than this version supports.
    case newerFormat
    /// The document, or a part of it, exceeds a limit.
    case tooLarge
    /// Two lessons have the same identifier.
    case duplicateLesson
    /// An address in the document is not an http or https address.
    case forbiddenAddress
    /// The catalog has no such lesson.
    case noSuchLesson
    /// The lesson has no such part.
    case noSuchPart
    /// The library is not running.
    case unavailable
}
