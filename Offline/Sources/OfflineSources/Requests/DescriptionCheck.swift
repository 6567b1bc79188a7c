// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The decision whether a description is complete.
///
/// A server that ends a body by closing the connection may have sent only a part of the
/// description. The description is then complete if the format shows the end, or if the next
/// response has the same bytes. An interruption does not cut two responses at the same byte. A
/// server that always closes the connection remains usable at the cost of one more request.
///
/// The check is a value without side effects and serves all responses of one address.
package struct DescriptionCheck {
    private var unproven: [UInt8]?

    /// Creates a check without a description yet.
    package init() {}

    /// Accepts a description, or throws a transient error so that the caller fetches it again.
    package mutating func accept(
        _ document: SourceDocument,
        of source: any ReadableSource
    ) throws(DownloadError) {
        if document.isEndProven || source.showsEnd(of: document) { return }
        if document.bytes == unproven { return }
        unproven = document.bytes
        var error = DownloadError(
            .connection,
            "The server closed the connection without announcing the playlist's size, so that "
                + "lines may be missing. Try again later, or contact the site."
        )
        error.isTransient = true
        throw error
    }
}
