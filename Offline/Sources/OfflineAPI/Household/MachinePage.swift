// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The address of another machine's page, as that machine states it.
///
/// The string comes from the network, so it must consist of `http` or `https`, a numeric address
/// and a port. A path, a user or a name that a server of the network could resolve is not allowed.
package struct MachinePage: Hashable, Sendable, Codable, CustomStringConvertible {
    private let origin: String

    /// Reads an address such as `http://192.168.1.5:8440`.
    ///
    /// Returns nil for any other form.
    package init?(_ text: String) {
        // The check of the length comes first, so that a long string costs nothing.
        guard text.utf8.count <= 40,
            let match = text.wholeMatch(
                of: /https?:\/\/([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}):([0-9]{1,5})/
            ),
            match.1.split(separator: ".").allSatisfy({ UInt8($0) != nil }),
            let port = UInt16(match.2), port > 0
        else { return nil }
        origin = text
    }

    /// Decodes an address.
    ///
    /// - Throws: `DecodingError` if the string has any other form.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let page = MachinePage(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The address of the page is not http://ADDRESS:PORT."
            )
        }
        self = page
    }

    /// Encodes the address.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(origin)
    }

    /// The address.
    package var description: String { origin }

    /// Returns the address that plays an item on the machine, or opens the library without an item.
    package func address(playing item: ItemID?) -> String {
        item.map { "\(origin)/#play-\($0)" } ?? "\(origin)/"
    }
}
