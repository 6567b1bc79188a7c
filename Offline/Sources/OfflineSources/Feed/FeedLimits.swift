// SPDX-License-Identifier: Apache-2.0
import OfflineMedia

/// The largest feed to accept.
///
/// The limits bound the cost of a hostile feed.
package struct FeedLimits: Hashable, Sendable {
    /// The size of the document in bytes.
    package var bytes = 32 << 20
    /// The number of entries.
    package var entries = 20_000
    /// The length in bytes of an identifier or an address.
    ///
    /// Longer ones are ignored.
    package var textBytes = 4_096
    /// The length in bytes of the bases of all references together.
    package var resolvedBytes = 32 << 20

    /// Creates the default limits.
    package init() {}

    /// The limits of a feed as an XML document.
    ///
    /// The notes of an episode are one piece of text, and may contain pictures.
    var xml: XMLLimits {
        var limits = XMLLimits()
        limits.bytes = bytes
        limits.elements = 2_000_000
        limits.depth = 64
        limits.tokenBytes = 4 << 20
        return limits
    }
}
