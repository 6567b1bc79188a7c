// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An event that preceded a report.
public struct Breadcrumb: Hashable, Sendable, Codable {
    static let logCategory = "log"
    static let messageCategory = "message"

    /// The date of the event.
    public let date: Date
    /// The category, such as `log`, `message` or a category of the program.
    public let category: String
    /// The severity.
    public let level: ReportLevel
    /// The logged text, or the message's type with the content that its `tracing` allows.
    public let text: String
    /// Additional values.
    public let data: [String: ReportValue]
    /// The line that posted the message, as `#fileID:line`.
    public let location: String?

    init(
        date: Date,
        category: String = logCategory,
        level: ReportLevel = .info,
        text: String,
        data: [String: ReportValue] = [:],
        location: String? = nil
    ) {
        self.date = date
        self.category = category
        self.level = level
        self.text = text
        self.data = data
        self.location = location
    }

    /// The key of the category in reports of earlier versions.
    private enum EarlierKeys: String, CodingKey {
        case origin
    }

    /// Decodes a breadcrumb, with defaults for values that an earlier version did not write.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        date = try container.decode(Date.self, forKey: .date)
        category =
            try container.decodeIfPresent(String.self, forKey: .category)
            ?? decoder.container(keyedBy: EarlierKeys.self)
            .decodeIfPresent(String.self, forKey: .origin) ?? Self.logCategory
        level = try container.decodeIfPresent(ReportLevel.self, forKey: .level) ?? .info
        text = try container.decode(String.self, forKey: .text)
        data = try container.decodeIfPresent([String: ReportValue].self, forKey: .data) ?? [:]
        location = try container.decodeIfPresent(String.self, forKey: .location)
    }
}
