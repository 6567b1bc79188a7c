// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel

/// The name of a collection, which is one line and unique in the library.
package struct CollectionName: Hashable, Sendable {
    /// The maximum number of Unicode characters.
    package static let longest = 200

    /// The name in the user's spelling, without surrounding white space.
    package let text: String
    /// The form in which two names are compared, without case and invisible characters.
    package let folded: String

    /// Creates a name from a text of any source.
    ///
    /// - Throws: `LibraryError` with `.invalidName` if the text is empty, too long or contains
    ///   control characters.
    package init(_ raw: String) throws(LibraryError) {
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = text.unicodeScalars
        guard scalars.count <= Self.longest else {
            throw LibraryError(
                .invalidName,
                "The name has more than \(Self.longest) characters. Use a shorter one."
            )
        }
        guard !scalars.contains(where: Self.isControl) else {
            throw LibraryError(
                .invalidName,
                "The name has control characters, such as line breaks. Use one line of text."
            )
        }
        self.text = text.precomposedStringWithCanonicalMapping
        folded = Self.folded(text)
        guard !folded.isEmpty else {
            throw LibraryError(.invalidName, "The name is empty. Use one with visible characters.")
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns the form for a comparison.
    ///
    /// Capitals come first, because some small letters, such as “ß”, have no other common
    /// form.
    private static func folded(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(visible)).uppercased().lowercased()
            .precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespaces)
    }
}
