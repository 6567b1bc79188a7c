// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsHTTP

/// A file, which the library keeps as the server sends it.
struct FileSource: MediaSource {
    let kind = ItemKind.file

    /// Accepts every body except pages, feeds and manifests, which would be useless as files.
    func inspect(_ response: FirstResponse) -> Inspection? {
        if [.html, .feed, .dash].contains(response.content) { return nil }
        return .whole(
            WholePart(
                mediaType: response.head.contentType ?? response.content.mediaType,
                totalBytes: response.head.contentLength
            )
        )
    }
}

extension ItemKind {
    /// A file.
    package static let file = ItemKind(rawValue: "file")
}
