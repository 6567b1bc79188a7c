// SPDX-License-Identifier: Apache-2.0
package import OfflineSources
package import TidingsHTTP

/// The new entries of a document, as a value without side effects.
package struct FeedSelection: Hashable, Sendable {
    /// An entry that the feed has not had before.
    package struct Choice: Hashable, Sendable {
        /// The entry.
        package let entry: FeedEntry
        /// The address of the entry.
        package let address: WebAddress
        /// Whether to download the entry.
        ///
        /// The feed only remembers an unwanted entry.
        package let isWanted: Bool
    }

    /// An additional name of a known entry.
    package struct Alias: Hashable, Sendable {
        /// The name by which the entry is known.
        package let known: String
        /// The additional name.
        package let name: String
    }

    /// The new entries, the newest first.
    package private(set) var choices: [Choice] = []
    /// The names to remember for entries that are already known by another name.
    package private(set) var aliases: [Alias] = []
    /// All names of the entries in the document.
    package private(set) var names: Set<String> = []

    /// Chooses the new entries among the newest of a document.
    ///
    /// An entry is known by an identity and an address. If a publisher changes either of these
    /// names, or first one and then the other, the entry is not downloaded again. New entries
    /// beyond the newest `keep` would be removed immediately, so the feed only remembers these
    /// entries.
    ///
    /// - Parameters:
    ///   - document: The feed.
    ///   - seen: The names of the entries that the feed has had before.
    ///   - keep: The number of entries to keep.
    ///   - keepsPages: Whether the pages of entries without media are kept.
    package init(_ document: FeedDocument, seen: Set<String>, keep: Int, keepsPages: Bool) {
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
