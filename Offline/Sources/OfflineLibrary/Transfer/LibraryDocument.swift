// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// The lines of an exported library: a head, a line for each item, and an end.
enum LibraryDocument {
    /// The name of the format.
    static let format = "offline-library"
    /// The version of the format that this program writes and reads.
    static let version = 1
    /// The maximum size of a line in bytes.
    static let longestLine = 64 << 10
    /// The maximum number of items.
    static let maximumItems = 1_000_000

    /// The first line.
    struct Head: Codable, Sendable {
        var format = LibraryDocument.format
        var version = LibraryDocument.version
        var exportedAt: Date
        var catalog: Catalog?
    }

    /// The catalog of lessons that the user has chosen.
    struct Catalog: Codable, Sendable {
        var address: String
        var allowPrivate: Bool
    }

    /// The line of an item.
    struct Item: Codable, Sendable {
        var address: String
        var quality: String
        /// The chosen languages; absent for all.
        var audio: String?
        var subtitles: String?
        var allowPrivate: Bool?
        var title: String
        var kind: String?
        var state: ItemState
        var fileName: String?
        var size: Int64?
        var sha256: String?
        var mediaType: String?
        var duration: Double?
        var width: Int?
        var height: Int?
        var note: String?
        var error: ItemFailure?
        var createdAt: Date
        var readyAt: Date?
        var live: LiveRecording?
        /// The position of an unfinished item in the order of the queue.
        var position: Int64?
        var referrer: String?
        var proxy: String?
        var checksum: String?
        /// The names of the files of subtitles beside the film.
        var subtitleFiles: [String]?
        /// The options that the file does not contain, because they may be secrets.
        var omitted: [String]?
    }

    /// The last line.
    struct End: Codable, Sendable {
        /// The number of items before it.
        var items: Int
    }
}

extension LibraryDocument.Item {
    /// Creates the line of an item.
    init(
        _ item: MediaItem,
        _ options: RequestOptions,
        sha256: String?,
        subtitleFiles: [String]
    ) {
        address = item.origin.text
        quality = item.choice.quality.description
        audio = item.choice.audio == .all ? nil : item.choice.audio.description
        subtitles = item.choice.subtitles == .all ? nil : item.choice.subtitles.description
        allowPrivate = item.allowsPrivateAddresses ? true : nil
        title = item.title
        kind = item.kind?.rawValue
        state = item.state
        fileName = item.fileName
        size = item.size
        self.sha256 = sha256
        mediaType = item.mediaType
        duration = item.duration
        width = item.width
        height = item.height
        note = item.note
        error = item.failure
        createdAt = item.createdAt
        readyAt = item.readyAt
        live = item.live
        position = item.state == .ready || item.state == .missing ? nil : item.position
        referrer = options.referrer?.text
        checksum = options.checksum?.text
        let proxyText = options.proxy?.text
        let hasPassword = proxyText?.contains("@") == true
        proxy = hasPassword ? nil : proxyText
        self.subtitleFiles = subtitleFiles.isEmpty ? nil : subtitleFiles
        let left = [
            options.headers.isEmpty ? nil : "headers", options.cookies.isEmpty ? nil : "cookies",
            hasPassword ? "proxy" : nil,
        ].compactMap(\.self)
        omitted = left.isEmpty ? nil : left
    }
}
