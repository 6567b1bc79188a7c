// SPDX-License-Identifier: Apache-2.0
package import OfflineDownloads
package import OfflineLibrary
package import OfflineModel
package import OfflineStore
package import Tidings
package import TidingsFiles

// The inputs and outputs of the operations on the whole library.

/// The network state, in `GET /api/connectivity` and the event `connectivity`.
package struct ConnectivityJSON: Codable, Sendable {
    /// `online`, `offline`, or `unknown` until the system first reports.
    let state: String
    /// The reason why `online` is only an assumption.
    var problem: String?

    /// Creates the payload.
    package init(_ state: LoadState<Connectivity>) {
        switch state {
        case .unknown, .loading: self.state = "unknown"
        case .loaded(let connectivity): self.state = connectivity.rawValue
        case .error(let error):
            self.state = Connectivity.online.rawValue
            problem = "\(error)"
        }
    }
}

extension DownloadSettings: Codable {
    /// Decodes the values of the settings, without the settings that only another version has.
    package init(from decoder: any Decoder) throws {
        self.init()
        for (name, text) in try [String: String](from: decoder) {
            if let key = SettingKey(rawValue: name) { try set(key, to: text) }
        }
    }

    /// Encodes the values of the settings by name.
    package func encode(to encoder: any Encoder) throws {
        let pairs = SettingKey.allCases.map { ($0.rawValue, text(of: $0)) }
        try Dictionary(uniqueKeysWithValues: pairs).encode(to: encoder)
    }
}

/// The new values of some settings.
package struct SettingsChange: JSONInput {
    /// The value of a setting, either a string or a whole number.
    private struct Value: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text =
                try (try? container.decode(Int.self)).map { "\($0)" }
                ?? container.decode(String.self)
        }
    }

    let texts: [SettingKey: String]

    /// Creates a change.
    package init(_ texts: [SettingKey: String]) { self.texts = texts }

    /// Decodes the values by name.
    ///
    /// - Throws: `LibraryError` with `.invalidSetting` for an unknown name.
    package init(from decoder: any Decoder) throws {
        let values = try [String: Value](from: decoder)
        texts = try values.sorted { $0.key < $1.key }.reduce(into: [:]) { texts, value in
            texts[try SettingKey(named: value.key)] = value.value.text
        }
    }

    /// Encodes the values by name.
    package func encode(to encoder: any Encoder) throws {
        let pairs = texts.map { ($0.key.rawValue, $0.value) }
        try Dictionary(uniqueKeysWithValues: pairs).encode(to: encoder)
    }
}

extension RefreshOptions: JSONInput {
    private struct Body: Codable {
        var removeMissing: Bool?
        var `import`: Bool?
        var confirmed: Bool?
    }

    /// Decodes options, of which an absent one permits nothing.
    package init(from decoder: any Decoder) throws {
        let body = try Body(from: decoder)
        self.init(
            removeMissing: body.removeMissing ?? false,
            importFiles: body.import ?? false,
            isConfirmed: body.confirmed ?? false
        )
    }

    /// Encodes the options.
    package func encode(to encoder: any Encoder) throws {
        try Body(removeMissing: removeMissing, import: importFiles, confirmed: isConfirmed)
            .encode(to: encoder)
    }
}

/// The request of `POST /api/verify`.
package struct VerifyJSON: JSONInput {
    /// The items, or absent or empty for all items.
    let ids: [ItemID]?
    /// Whether to record changed and missing subtitles in the present form.
    let acceptSubtitles: Bool?

    /// Creates a request.
    package init(ids: [ItemID], acceptSubtitles: Bool) {
        self.ids = ids
        self.acceptSubtitles = acceptSubtitles
    }
}

/// The number of a verification, or nil for the last one.
package struct VerificationRun: OperationInput {
    let number: Int?

    /// Creates an input.
    package init(_ number: Int?) { self.number = number }

    /// Reads the query.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the parameter is not a number.
    package init(_ parts: RequestParts) throws {
        // No verification has a negative number.
        number = parts.query["run"].map { Int($0) ?? -1 }
    }

    /// Returns the query.
    package func parts() -> RequestParts {
        RequestParts(query: number.map { ["run": String($0)] } ?? [:])
    }
}

/// The text of an exported library.
package struct LibraryText: OperationInput {
    private enum Source: Sendable {
        case bytes([UInt8])
        case file(FileDescriptor)
    }

    /// The largest text that a request can carry, in bytes.
    private static let limit = 64 << 20

    private let source: Source
    let allowsPrivate: Bool

    /// Creates an input from a file, which is read by the operation or by the request.
    package init(_ file: FileDescriptor, allowsPrivate: Bool) {
        source = .file(file)
        self.allowsPrivate = allowsPrivate
    }

    /// Reads the query and the body.
    package init(_ parts: RequestParts) throws {
        source = .bytes(parts.body)
        allowsPrivate = parts.query["allowPrivate"] == "true"
    }

    /// Returns the lines of the text.
    func lines() -> DocumentLines {
        switch source {
        case .bytes(let bytes): DocumentLines(bytes)
        case .file(let file): DocumentLines(file)
        }
    }

    /// Reads the file for the body of a request.
    ///
    /// - Throws: `RemoteError` if the text is too large.
    package func parts() throws -> RequestParts {
        var content: [UInt8] = []
        var lines = lines()
        while let line = try lines.next(limit: Self.limit) {
            content += line
            content.append(10)
            guard content.count <= Self.limit else {
                throw RemoteError(
                    message: "The text is too large for the running server. Stop the server, and "
                        + "import it again."
                )
            }
        }
        let query = allowsPrivate ? ["allowPrivate": "true"] : [:]
        return RequestParts(query: query, body: content)
    }
}
