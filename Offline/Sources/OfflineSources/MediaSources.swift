// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsHTTP

/// The sources of a library, in the order in which they inspect a response.
package struct MediaSources: Sendable {
    /// All sources of the program.
    ///
    /// The file source is last and accepts all remaining bodies.
    package static let standard = MediaSources([
        HLSSource(), DASHSource(), PageSource(), FeedSource(), FileSource(),
    ])

    private let sources: [any MediaSource]

    init(_ sources: [any MediaSource]) {
        self.sources = sources
    }

    /// Returns the inspection of the first source that recognizes a response.
    ///
    /// - Throws: `DownloadError` if that source refuses the media, or if no source recognizes the
    ///   response.
    package func inspect(
        _ response: FirstResponse
    ) throws(DownloadError) -> (kind: ItemKind, inspection: Inspection) {
        for source in sources {
            if let inspection = try source.inspect(response) { return (source.kind, inspection) }
        }
        throw DownloadError(refusing: response.content, at: response.head.address)
    }

    /// Returns the described source that recognized an item earlier, or nil if there is none.
    ///
    /// An item with recorded parts keeps its source, so that a later response with a body of
    /// another kind can never replace the parts.
    package func describedSource(of kind: ItemKind?) -> (any DescribedSource)? {
        sources.lazy.compactMap { $0 as? any DescribedSource }.first { $0.kind == kind }
    }

    /// The source that names the addresses of media elsewhere, or nil if there is none.
    package var referringSource: (any ReferringSource)? {
        sources.lazy.compactMap { $0 as? any ReferringSource }.first
    }
}
