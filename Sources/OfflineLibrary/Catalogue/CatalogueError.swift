// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// A catalogue that cannot be shown, or a lesson of it that cannot be fetched.
package typealias CatalogueError = CodedError<CatalogueErrorCode>

/// The kinds of ``CatalogueError``.
package enum CatalogueErrorCode: String, ErrorCode {
    /// No address was given.
    case noAddress
    /// The document is not JSON.
    case notJSON
    /// The document is JSON, but not a catalogue.
    case notACatalogue
    /// The document is of a newer format than this version reads.
    case newerFormat
    /// The document, or something in it, is beyond its limit.
    case tooLarge
    /// Two lessons have one identifier.
    case duplicateLesson
    /// An address in the document is not one of the web.
    case forbiddenAddress
    /// The catalogue has no such lesson.
    case noSuchLesson
    /// The lesson has no such part.
    case noSuchPart
    /// The library does not work yet, or no more.
    case unavailable
}
