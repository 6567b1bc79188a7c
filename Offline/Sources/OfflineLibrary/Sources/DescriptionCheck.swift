// SPDX-License-Identifier: Apache-2.0

/// The decision whether a description is complete.
///
/// A server that ends its body by closing the connection may have sent only a part of it. The
/// description is then complete if its format shows that, or if the next response has the same
/// bytes: an interruption does not cut two responses at the same byte, and a server that always
/// closes the connection remains usable at the cost of one more request.
///
/// A value without side effects, for all responses of one address.
struct DescriptionCheck {
    private var unproven: [UInt8]?

    /// Accepts a description, or throws a transient error so that it is fetched again.
    mutating func accept(
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
