// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// Goes from an item's address to the media playlist of the chosen rendition.
struct PlaylistFetch: Sendable {
    let environment: DownloadEnvironment
    let route: HTTPClients.Route
    let item: MediaItem

    /// Returns the media playlist; `first` is the playlist at the item's address, when it was
    /// fetched just now.
    func mediaPlaylist(
        _ first: (bytes: [UInt8], head: HTTPResponseHead)?
    ) async throws -> MediaPlaylist {
        let first = if let first { first } else { try await fetch(route.address) }
        switch try PlaylistParser.parse(first.bytes, at: first.head.address) {
        case .media(let playlist):
            return playlist
        case .master(let master):
            let rendition = try master.rendition(item.rendition)
            let second = try await fetch(rendition.address)
            guard
                case .media(let playlist) = try PlaylistParser.parse(
                    second.bytes,
                    at: second.head.address
                )
            else {
                throw DownloadError(
                    .invalidPlaylist,
                    "\(rendition.address.redacted) should list segments but lists renditions."
                )
            }
            return playlist
        }
    }

    private func fetch(
        _ address: WebAddress
    ) async throws(DownloadError) -> (bytes: [UInt8], head: HTTPResponseHead) {
        try await environment.retrying(item.id, at: address) {
            let (transfer, body) = try await route.client.fetch(
                route.request(address),
                limit: PlaylistLimits().bytes
            )
            guard transfer.head.status == 200 else {
                throw DownloadError(status: transfer.head.status, head: transfer.head)
            }
            return (body, transfer.head)
        }
    }
}
