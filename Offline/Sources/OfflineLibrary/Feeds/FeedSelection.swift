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
    }

    /// A name that a known entry has only now.
    package struct Alias: Hashable, Sendable {
        /// The name by which the entry is known.
        package let known: String
        /// The other name.
        package let name: String
    }

    /// The new entries, the newest first.
    package private(set) var choices: [Choice] = []
    /// The names to remember for entries that are known by another one.
    package private(set) var aliases: [Alias] = []
    /// All names of the entries in the document.
    package private(set) var names: Set<String> = []

    /// Chooses the new entries among the newest of a document.
    ///
    /// An entry is known by its identity or by its address, so that neither another name nor
    /// another address of a published entry makes a second download, nor both one after the other.
    /// New entries beyond the newest `keep` would be removed at once, so they are only remembered.
    ///
    /// - Parameters:
    ///   - document: The feed.
    ///   - seen: The names of the entries that the feed has had before.
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
            names.formUnion([entry.identity, entry.key])
            guard let address = entry.address(orPage: keepsPages) else { continue }
            switch (seen.contains(entry.identity), seen.contains(entry.key)) {
            case (false, false):
                choices.append(Choice(entry: entry, address: address, isWanted: place < keep))
            case (true, false): aliases.append(Alias(known: entry.identity, name: entry.key))
            case (false, true): aliases.append(Alias(known: entry.key, name: entry.identity))
            case (true, true): break
            }
            seen.formUnion([entry.identity, entry.key])
            place += 1
        }
    }
}
