// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// An entry with the statements of the document.
struct FeedDraft {
    /// The origin of a date.
    ///
    /// The date with the greatest rank counts.
    enum DateRank: Int {
        case changed
        case stated
        case published
    }

    var guid: String?
    /// Whether the identifier may be the address of the entry's page.
    var isGuidAddress = false
    var title = ""
    var page: WebAddress?
    var media: WebAddress?
    var picture: WebAddress?
    private var mediaRank = 0
    private(set) var date: Double?
    private var dateRank: DateRank?

    /// The address of the media, or of the page if the entry has no media.
    var address: WebAddress? { media ?? page }

    /// Stores the address of media if the address is better than the previous one.
    mutating func add(_ address: WebAddress, rank: Int) {
        guard rank > mediaRank else { return }
        (media, mediaRank) = (address, rank)
    }

    /// Stores a date if the date is more meaningful than the previous one.
    mutating func add(date text: String, _ rank: DateRank) {
        guard rank.rawValue > dateRank?.rawValue ?? -1, let seconds = FeedDate.seconds(text) else {
            return
        }
        (date, dateRank) = (seconds, rank)
    }
}

/// The suitability of an address in a feed as the address of media.
enum FeedMedia {
    private static let streams = [
        "application/ogg", "application/vnd.apple.mpegurl", "application/x-mpegurl",
        "application/dash+xml", "application/mp4",
    ]
    /// Types of files that are not media.
    ///
    /// Users do not follow feeds for such files.
    private static let others = ["image/", "text/", "application/x-shockwave-flash"]

    /// Returns the rank of an enclosure, which is 0 if the enclosure is not media.
    static func rank(ofEnclosure type: String?, at address: WebAddress) -> Int {
        guard let type = essence(type) else { return isPicture(address) ? 0 : 1 }
        if isMedia(type) { return 5 }
        return others.contains(where: type.hasPrefix) ? 0 : isPicture(address) ? 0 : 1
    }

    /// Returns the rank of a `media:content` element, which is 0 if the content is not media.
    static func rank(
        ofContent type: String?,
        medium: String?,
        isDefault: Bool,
        at address: WebAddress
    ) -> Int {
        let isMedium = medium.map { ["audio", "video"].contains($0.lowercased()) }
        let fits =
            essence(type).map { isMedia($0) } ?? isMedium
            ?? ContentKind.isMedia(fileName: address.lastPathComponent)
        return fits ? (isDefault ? 4 : 3) : 0
    }

    private static func essence(_ type: String?) -> String? {
        let essence = type?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return essence?.isEmpty == false ? essence : nil
    }

    private static func isMedia(_ type: String) -> Bool {
        type.hasPrefix("audio/") || type.hasPrefix("video/") || streams.contains(type)
    }

    private static func isPicture(_ address: WebAddress) -> Bool {
        let name = address.lastPathComponent.lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg"].contains(where: name.hasSuffix)
    }
}
