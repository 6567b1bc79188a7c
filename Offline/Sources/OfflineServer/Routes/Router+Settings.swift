// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Changes the settings in the body, and returns all of them.
    func changeSettings(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode([String: SettingJSON].self, from: request.body)
        var texts: [SettingKey: String] = [:]
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
            texts[try SettingKey(named: name)] = value.text
        }
        return .json(SettingsJSON(try await library.change(texts)))
    }
}

/// The settings by name, in the response of `GET` and `PATCH /api/settings`.
struct SettingsJSON: Encodable {
    private let texts: [String: String]

    init(_ settings: DownloadSettings) {
        let pairs = SettingKey.allCases.map { ($0.rawValue, settings.text(of: $0)) }
        texts = Dictionary(uniqueKeysWithValues: pairs)
    }

    func encode(to encoder: any Encoder) throws {
        try texts.encode(to: encoder)
    }
}

/// The value of a setting in a request: a text, or a whole number.
private struct SettingJSON: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text =
            try (try? container.decode(Int.self)).map { "\($0)" } ?? container.decode(String.self)
    }
}
