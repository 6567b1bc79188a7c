// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
package import TidingsHTTP

/// A small picture of media that are not in the library.
package struct InspectedPicture: Hashable, Sendable {
    /// The maximum size in bytes.
    static let maximumBytes = 2 << 20

    /// The bytes.
    package let bytes: [UInt8]
    /// The media type, in which browsers run no scripts.
    package let mediaType: String
}

extension Library {
    /// Returns a picture from another server, if the bytes prove that the body is a picture.
    ///
    /// - Parameters:
    ///   - address: The address of the picture.
    ///   - page: The page that shows the picture, or nil if the page is unknown.
    ///   - isAllowed: Whether the picture may be at a private address.
    /// - Returns: The picture, as the server sent it.
    /// - Throws: `LibraryError` with `.notFound`, also for a picture that is too large.
    package func picture(
        at address: WebAddress,
        of page: WebAddress?,
        allowingPrivate isAllowed: Bool
    ) async throws -> InspectedPicture {
        let isAllowed = isAllowed || configuration.allowsPrivateAddresses
        let client = clients.client(allowingPrivate: isAllowed)
        var request = HTTPRequest(address)
        if let page {
            request.headersForTarget = { target in
                page.referrer(for: target).map { [HTTPHeader("Referer", $0)] } ?? []
            }
        }
        do {
            let (transfer, bytes) = try await client.fetch(
                request,
                limit: InspectedPicture.maximumBytes
            )
            let kind = ContentSniffer.kind(of: Array(bytes.prefix(1_024)), contentType: nil)
            if transfer.head.status == 200, [.jpeg, .png, .gif, .webp].contains(kind) {
                return InspectedPicture(bytes: bytes, mediaType: kind.mediaType)
            }
        } catch {
            try Task.checkCancellation()
        }
        throw LibraryError(.notFound, "The picture cannot be shown.")
    }
}
