// SPDX-License-Identifier: Apache-2.0

/// The statements of a page about media, in the order of the page and with unresolved addresses.
///
/// The number and the length of all values are limited.
struct PageFindings {
    /// One address.
    struct Finding: Hashable {
        var reference: String
        var format: PageMedia.Format
        var type: String?
        var height: Int?
    }

    /// The addresses that the page states together, such as the addresses of one `video` element.
    struct Group {
        var place: PageCandidate.Place
        var media: [Finding] = []
        var title: String?
        var picture: String?
        var duration: Double?
        /// The subtitles and chapters of the media.
        var texts = StatedTexts()
        var isDecoration = false
    }

    /// The maximum number of addresses of media.
    static let limit = 512
    /// The maximum number of addresses of other pages.
    static let pageLimit = 16
    /// The maximum length of an address.
    static let addressLength = 4_096

    private(set) var groups: [Group] = []
    private var count = 0
    var base: String?
    var titles: [Title: String] = [:]
    var site: String?
    var picture: String?
    private(set) var players: [String] = []
    private(set) var feeds: [String] = []
    /// The subtitles and chapters that the page states apart from media.
    var looseTexts = StatedTexts()
    private(set) var browserAddresses = 0
    var namesProtection = false

    /// The statements of a page's title, the best first.
    enum Title: CaseIterable {
        case shared
        case described
        case written
    }

    /// Adds a group without the addresses that cannot be fetched.
    mutating func add(_ group: Group) {
        var group = group
        group.media = group.media.filter { finding in
            guard finding.reference.utf8.count <= Self.addressLength, count < Self.limit,
                !countBrowserAddress(finding.reference)
            else { return false }
            count += 1
            return true
        }
        if group.media.isEmpty {
            picture = picture ?? group.picture
            if !group.isDecoration { looseTexts.add(group.texts) }
        } else {
            groups.append(group)
        }
    }

    /// Returns whether an address exists only in a browser, and counts such an address.
    mutating func countBrowserAddress(_ reference: String) -> Bool {
        let start = reference.prefix(12).lowercased()
        guard ["blob:", "data:", "mediastream:"].contains(where: start.hasPrefix) else {
            return false
        }
        browserAddresses += 1
        return true
    }

    /// Counts the addresses of a script that exist only in a browser.
    mutating func countBrowserAddresses(_ number: Int) { browserAddresses += number }

    /// Adds a page that may be a player.
    mutating func addPlayer(_ reference: String) {
        guard players.count < Self.pageLimit, !reference.isEmpty,
            reference.utf8.count <= Self.addressLength, !players.contains(reference),
            !["about:", "javascript:", "data:", "blob:"].contains(where: reference.hasPrefix)
        else { return }
        players.append(reference)
    }

    /// Adds a feed.
    mutating func addFeed(_ reference: String) {
        guard feeds.count < Self.pageLimit, reference.utf8.count <= Self.addressLength else {
            return
        }
        feeds.append(reference)
    }
}

extension PageFindings.Finding {
    /// Creates the finding of an address whose name, type or context shows that it is media.
    ///
    /// - Parameters:
    ///   - text: The address as the page writes it.
    ///   - type: The declared media type.
    ///   - label: The declared quality.
    ///   - assumed: The format of an address that shows no format, or nil if such an address is not
    ///     media.
    init?(
        _ text: String,
        type: String? = nil,
        label: String? = nil,
        assuming assumed: PageMedia.Format? = nil
    ) {
        var reference = text
        if text.utf8.first == 0x20 || text.utf8.last == 0x20 || text.utf8.contains(0x0a) {
            reference = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        // A script may contain the address with the escapes of HTML.
        if reference.utf8.contains(0x26) {
            reference = reference.replacing("&amp;", with: "&")
        }
        let declared = type.flatMap(PageMedia.Format.init(type:))
        guard !reference.isEmpty,
            let format = PageMedia.Format(reference: reference) ?? declared ?? assumed
        else { return nil }
        self.reference = reference
        self.format = format
        self.type = type.map { String($0.prefix(64)) }
        height = label.flatMap(PageMedia.height(inLabel:))
    }
}
