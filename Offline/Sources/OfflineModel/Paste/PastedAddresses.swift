// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The web addresses in a text that a user has pasted.
///
/// A line that consists of one address is not changed. In other lines, an address ends before
/// closing brackets, quotes and punctuation. There an address without a scheme needs a path or
/// `www.`, because a sentence contains words such as `e.g`.
package struct PastedAddresses: Hashable, Sendable {
    /// The meaning of the lines.
    package enum Form: Sendable {
        /// A text of any kind.
        case text
        /// A list with an address in each line, where `#` starts a comment.
        case list
    }

    /// An address in the text that cannot be fetched.
    package struct Refusal: Hashable, Sendable, Codable {
        /// The number of the line, counted from 1.
        package let line: Int
        /// The name of an `HTTPErrorCode`.
        package let code: String
        /// The fault and the remedy, without the address, which may contain a password.
        package let message: String
    }

    /// The maximum size of a text in bytes.
    package static let longestText = 1 << 20
    /// The maximum number of addresses in one text.
    package static let mostAddresses = 1_000

    /// The addresses in order, each once, of which there is at least one.
    package private(set) var addresses: [WebAddress] = []
    /// The addresses that cannot be fetched, in order.
    package private(set) var refusals: [Refusal] = []

    /// Finds the addresses in a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - form: The meaning of the lines.
    /// - Throws: `LibraryError` with `.invalidAddress` if the text is too long, has too many
    ///   addresses, or has no address that can be fetched.
    package init(_ text: String, form: Form = .text) throws(LibraryError) {
        guard text.utf8.count <= Self.longestText else { throw Self.tooLong }
        var known: Set<WebAddress> = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let content = form == .list ? Self.withoutComment(line) : line
            var candidates = PastedLine(content)
            var hasCandidate = false
            while let candidate = candidates.next() {
                hasCandidate = true
                do {
                    let address = try candidate.address()
                    if known.insert(address).inserted { addresses.append(address) }
                } catch {
                    refusals.append(Refusal(error, line: index + 1))
                }
                try checkCount()
            }
            // In other text, most lines have no address.
            if form == .list, !hasCandidate, !content.allSatisfy(\.isWhitespace) {
                refusals.append(Refusal(Self.noAddress, line: index + 1))
                try checkCount()
            }
        }
        guard addresses.isEmpty else { return }
        throw LibraryError(
            .invalidAddress,
            refusals.first?.message ?? Self.noAddress.message
        )
    }

    private func checkCount() throws(LibraryError) {
        guard addresses.count + refusals.count > Self.mostAddresses else { return }
        throw LibraryError(
            .invalidAddress,
            "The text contains more than \(Self.mostAddresses) addresses. Divide it; nothing was "
                + "added."
        )
    }

    private static var noAddress: HTTPError {
        HTTPError(
            .invalidAddress,
            "There is no web address here. Give one such as https://example.org/film.mp4."
        )
    }

    /// The error for a text that exceeds the limit.
    package static var tooLong: LibraryError {
        LibraryError(
            .invalidAddress,
            "The text is larger than \(longestText >> 20) MiB. Divide it; nothing was added."
        )
    }

    /// Returns a line up to a `#` after white space.
    ///
    /// A `#` in a word belongs to an address.
    private static func withoutComment(_ line: Substring) -> Substring {
        var previous: Character = " "
        for index in line.indices {
            if line[index] == "#", previous.isWhitespace { return line[..<index] }
            previous = line[index]
        }
        return line
    }
}

extension PastedAddresses.Refusal {
    fileprivate init(_ error: HTTPError, line: Int) {
        self.init(line: line, code: error.code.description, message: error.message)
    }
}
