// SPDX-License-Identifier: Apache-2.0

extension ReporterState: Codable {
    /// Decodes a state and skips values that only a newer version can decode.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        consent = try container.decode(ReportConsent.self, forKey: .consent)
        consentMark = try container.decodeIfPresent(String.self, forKey: .consentMark)
        let pauses = try container.decodeIfPresent(
            [String: Lossy<SendingPause>].self,
            forKey: .pauses
        )
        for (name, pause) in pauses ?? [:] {
            if let category = ReportCategory(rawValue: name) {
                self.pauses[category] = pause.element
            }
        }
        retry = try container.decodeIfPresent(SendingPause.self, forKey: .retry)
        lastFailure = try container.decodeIfPresent(
            Lossy<SendingFailure>.self,
            forKey: .lastFailure
        )?.element
        failures = try container.decodeIfPresent(Int.self, forKey: .failures) ?? 0
        losses = try Self.decodeLossy(container, .losses)
        sessions = try Self.decodeLossy(container, .sessions)
        comments = try Self.decodeLossy(container, .comments)
        let stored: [RunFigures.Stored] = try Self.decodeLossy(container, .figures)
        figures = stored.map { RunFigures($0) }
        runs = try Self.decodeLossy(container, .runs)
        failedStarts = try container.decodeIfPresent(Int.self, forKey: .failedStarts) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(consent, forKey: .consent)
        try container.encodeIfPresent(consentMark, forKey: .consentMark)
        let pauses = pauses.map { ($0.key.rawValue, $0.value) }
        try container.encode(
            Dictionary(uniqueKeysWithValues: pauses),
            forKey: .pauses
        )
        try container.encodeIfPresent(retry, forKey: .retry)
        try container.encode(failures, forKey: .failures)
        try container.encodeIfPresent(lastFailure, forKey: .lastFailure)
        try container.encode(losses, forKey: .losses)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(comments, forKey: .comments)
        try container.encode(figures.map(\.stored), forKey: .figures)
        try container.encode(runs, forKey: .runs)
        try container.encode(failedStarts, forKey: .failedStarts)
    }

    private struct Lossy<Element: Decodable>: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws {
            element = try? Element(from: decoder)
        }
    }

    private static func decodeLossy<Element: Decodable>(
        _ container: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) throws -> [Element] {
        try container.decodeIfPresent([Lossy<Element>].self, forKey: key)?.compactMap(\.element)
            ?? []
    }
}
