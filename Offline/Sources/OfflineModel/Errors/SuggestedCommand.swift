// SPDX-License-Identifier: Apache-2.0

/// A command line for messages that downloads or follows an address with the options of a request.
///
/// Headers, cookies, the proxy and the referrer may contain secrets. The command line therefore
/// lacks these options, and `reminder` names the options to add.
package struct SuggestedCommand: Hashable, Sendable {
    /// The options of a request that may contain secrets.
    private enum Private: String {
        case header = "--header"
        case cookies = "--cookies"
        case referrer = "--referrer"
        case proxy = "--proxy"
    }

    /// The folder of the copies, or nil without a folder.
    package var output: String?

    private let choice: RequestedChoice
    private let allowsPrivateAddresses: Bool
    private let live: LiveRecording?
    private let limit: SpeedLimit?
    private let checksum: Checksum?
    private let given: [Private]

    /// Creates the command of a request.
    package init(_ request: DownloadRequest) {
        self.init(
            request.choice,
            allowsPrivateAddresses: request.allowsPrivateAddresses,
            live: request.live,
            request.options
        )
    }

    /// Creates the command of an item with the options of its requests.
    package init(_ item: MediaItem, _ options: RequestOptions) {
        self.init(
            RequestedChoice(item.choice),
            allowsPrivateAddresses: item.allowsPrivateAddresses,
            live: item.live,
            options
        )
    }

    /// Creates the command of a choice and a permission.
    package init(
        _ choice: RequestedChoice,
        allowsPrivateAddresses: Bool,
        live: LiveRecording? = nil,
        _ options: RequestOptions
    ) {
        self.choice = choice
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.live = live
        limit = options.limit
        checksum = options.checksum
        let given: [Private?] = [
            options.headers.isEmpty ? nil : .header, options.cookies.isEmpty ? nil : .cookies,
            options.referrer.map { _ in .referrer }, options.proxy.map { _ in .proxy },
        ]
        self.given = given.compactMap(\.self)
    }

    /// Returns the command that downloads an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - referrer: The page to name as the page that leads to the address, or nil for none.
    ///   - again: Whether a second item is wanted.
    /// - Returns: The command line.
    package func get(_ address: String, referrer: String? = nil, again: Bool = false) -> String {
        let options: [(name: String, value: String?)?] = [
            again ? ("--again", nil) : nil,
            (Self.quoted(address), nil),
            referrer.map { ("--referrer", Self.quoted($0)) },
            choice.quality.flatMap { $0 == .best ? nil : ("--quality", "\($0)") },
            choice.audio.flatMap { $0 == .all ? nil : ("--audio", "\($0)") },
            choice.subtitles.flatMap { $0 == .all ? nil : ("--subtitles", "\($0)") },
            choice.chapters.map { ("--chapters", "\($0)") },
            live.map { _ in ("--live", nil) },
            live?.seconds.map { ("--for", "\(Int64($0.rounded(.up)))s") },
            checksum.map { ("--checksum", $0.text) },
            limit.map { ("--limit", $0.rawValue) },
            allowsPrivateAddresses ? ("--allow-private", nil) : nil,
            output.map { ("-o", Self.quoted($0)) },
        ]
        return (["offline get"] + options.compactMap(\.self).map(Self.text)).joined(separator: " ")
    }

    /// Returns the command that follows a feed.
    package func follow(_ address: String, keepingPages: Bool) -> String {
        let options: [(name: String, value: String?)?] = [
            keepingPages ? ("--pages", nil) : nil,
            (Self.quoted(address), nil),
            limit.map { ("--limit", $0.rawValue) },
            allowsPrivateAddresses ? ("--allow-private", nil) : nil,
        ]
        return (["offline follow"] + options.compactMap(\.self).map(Self.text))
            .joined(separator: " ")
    }

    /// Returns the words about the options to add, such as “, with the same --header”.
    ///
    /// - Parameter referrer: Whether the command already names a referrer.
    /// - Returns: The words after a comma, or an empty string if nothing is missing.
    package func reminder(namingReferrer referrer: Bool = false) -> String {
        let names = given.filter { !referrer || $0 != .referrer }.map(\.rawValue)
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return ", with the same " + (others.isEmpty ? last : "\(others) and \(last)")
    }

    private static func text(_ option: (name: String, value: String?)) -> String {
        option.value.map { "\(option.name) \($0)" } ?? option.name
    }

    /// Returns a text as one word of a shell, whatever the text contains.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
