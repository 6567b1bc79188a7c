// SPDX-License-Identifier: Apache-2.0

/// The names by which a feed recognizes its entries: identifiers and addresses of any length.
enum FeedName {
    /// The longest name in bytes that is stored as it is.
    static let longest = 64

    /// Returns whether a text has the length of a stored name.
    static func isStored(_ name: String) -> Bool { (1...71).contains(name.utf8.count) }

    /// Returns a text of at most 71 bytes that stands for a name.
    ///
    /// A publisher can invent long names without end, and all of them are remembered.
    static func short(_ name: String) -> String {
        guard name.utf8.count > longest, let digest = FileDigest.sha256(of: name) else {
            return name
        }
        return "sha256:" + digest
    }
}
