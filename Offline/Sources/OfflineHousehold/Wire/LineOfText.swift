// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Text from another machine: one line of limited length without control characters.
///
/// The decoding cleans the text, so that no part of the program sees the original.
struct LineOfText: Hashable, Sendable, Codable {
    /// The maximum number of characters.
    static let longest = 200

    let text: String

    init(_ raw: String, fallback: String = "", longest: Int = longest) {
        text = Title(line: raw, longest: longest, fallback: fallback).text
    }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
