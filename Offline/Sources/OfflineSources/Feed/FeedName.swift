// SPDX-License-Identifier: Apache-2.0
import OfflineMedia

/// The names that identify the entries of a feed: identifiers and addresses of any length.
package enum FeedName {
    /// The longest name in bytes that is stored unchanged.
    package static let longest = 64

    /// Returns whether a string has the length of a stored name.
    package static func isStored(_ name: String) -> Bool { (1...71).contains(name.utf8.count) }

    /// Returns a string of at most 71 bytes that represents a name.
    ///
    /// A publisher can invent any number of long names, and the library remembers all of these
    /// names.
    package static func short(_ name: String) -> String {
        guard name.utf8.count > longest, let digest = FileDigest.sha256(of: name) else {
            return name
        }
        return "sha256:" + digest
    }
}
