// SPDX-License-Identifier: Apache-2.0
package import OfflineMedia
package import OfflineModel

extension ContentSniffer {
    /// Returns the kind of the content that starts with these bytes, which may be a feed.
    ///
    /// - Parameters:
    ///   - bytes: The first `prefixLength` bytes, or all bytes of a shorter content.
    ///   - contentType: The server's media type in lowercase, without parameters.
    /// - Returns: The kind, or `.unknown`.
    package static func kind(
        of bytes: some Collection<UInt8>,
        contentType: String? = nil
    ) -> ContentKind {
        kind(of: bytes, contentType: contentType) { FeedSniffer.isFeed($0) }
    }
}
