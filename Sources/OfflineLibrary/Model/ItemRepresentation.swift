// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An item as the HTTP API, the page and `offline list --json` show it: its row and its progress.
package struct ItemRepresentation: Hashable, Sendable, Codable {
    package var id: ItemID
    /// Where it comes from, as the person gave it.
    package var address: String
    package var title: String
    package var kind: ItemKind?
    package var state: ItemState
    package var rendition: String
    package var allowsPrivateAddresses: Bool
    package var receivedBytes: Int64?
    package var totalBytes: Int64?
    package var doneSegments: Int?
    package var totalSegments: Int?
    /// From 0 to 1; absent without a known total.
    package var fraction: Double?
    /// From 0 to 1 while the parts are joined.
    package var muxedFraction: Double?
    package var bytesPerSecond: Double?
    package var remainingSeconds: Double?
    /// What a running download waits for.
    package var waiting: String?
    package var note: String?
    package var error: ItemFailure?
    /// The finished file's name in the library's media folder.
    package var fileName: String?
    /// The finished file's bytes.
    package var size: Int64?
    package var mediaType: String?
    /// In seconds.
    package var duration: Double?
    package var width: Int?
    package var height: Int?
    package var hasPicture: Bool
    package var createdAt: Date
    package var readyAt: Date?

    package init(_ item: MediaItem, progress: DownloadProgress? = nil) {
        id = item.id
        address = item.source.text
        title = item.title
        kind = item.kind
        state = item.state
        rendition = item.rendition.description
        allowsPrivateAddresses = item.allowsPrivateAddresses
        note = item.note
        error = item.failure
        fileName = item.fileName
        size = item.size
        mediaType = item.mediaType
        duration = item.duration
        width = item.width
        height = item.height
        hasPicture = item.hasPicture
        createdAt = item.createdAt
        readyAt = item.readyAt
        if let progress { show(progress) }
    }

    /// Takes over how far the download is.
    package mutating func show(_ progress: DownloadProgress) {
        receivedBytes = progress.receivedBytes
        totalBytes = progress.totalBytes
        doneSegments = progress.doneSegments
        totalSegments = progress.totalSegments
        fraction = progress.fraction
        muxedFraction = progress.muxedFraction
        bytesPerSecond = progress.bytesPerSecond
        remainingSeconds = progress.remainingSeconds
        waiting = progress.waiting
    }
}
