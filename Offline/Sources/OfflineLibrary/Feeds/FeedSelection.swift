// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The new entries of a document; a value without side effects.
package struct FeedSelection: Hashable, Sendable {
    /// An entry that the feed has not had before.
    package struct Choice: Hashable, Sendable {
        /// The entry.
        package let entry: FeedEntry
        /// Its address.
        package let address: WebAddress
        /// Whether to download it; the others are only remembered.
        package let isWanted: Bool

        /// The part of the address that stays the same.
        var key: String { FeedEntry.key(of: address) }
    }

    /// The new entries, the newest first.
    package private(set) var choices: [Choice] = []

    /// Chooses the new entries among the newest of a document.
    ///
    /// An entry is known by its identity or by its address, so that neither another name nor
    /// another address of a published entry makes a second download. New entries beyond the newest
    /// `keep` would be removed at once, so they are only remembered.
    ///
    /// - Parameters:
    ///   - document: The feed.
    ///   - seen: The identities and the keys of addresses that the feed has had before.
    ///   - keep: The number of entries to keep.
    ///   - keepsPages: Whether the pages of entries without media are kept.
    package init(
        _ document: FeedDocument,
        seen: Set<String>,
        keep: Int,
        keepsPages: Bool
    ) {
        var seen = seen
        var place = 0
        for entry in document.entries {
            guard let address = entry.address(orPage: keepsPages) else { continue }
            let key = FeedEntry.key(of: address)
            let isKnown = seen.contains(entry.identity) || seen.contains(key)
            seen.formUnion([entry.identity, key])
            if !isKnown {
                choices.append(Choice(entry: entry, address: address, isWanted: place < keep))
            }
            place += 1
        }
    }
}
