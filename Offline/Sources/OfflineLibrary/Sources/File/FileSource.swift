// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A file, which is kept as the server sends it.
struct FileSource: MediaSource {
    let kind = ItemKind.file

    /// Takes every body but a page, a feed or a manifest, which would be useless as a file.
    func inspect(_ response: FirstResponse) -> Inspection? {
        switch response.content {
        case .html, .feed, .dash:
            nil
        default:
            .whole(
                WholePart(
                    mediaType: response.head.contentType ?? response.content.mediaType,
                    totalBytes: response.head.contentLength
                )
            )
        }
    }
}

extension ItemKind {
    /// A file.
    package static let file = ItemKind(rawValue: "file")
}
