// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

/// The hidden files of the media folder that receive uploads.
///
/// These files are on the disk of the finished files, so that a single rename finishes an upload.
package enum PartialUploads {
    private static let prefix = ".offline-upload-"

    /// Returns an unused name.
    package static func makeName() -> String { prefix + UUID().uuidString.lowercased() }

    /// Returns whether a string is the name of such a file, and not another path.
    static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /\.offline-upload-[0-9a-f-]{36}(\.[A-Za-z0-9]{1,5})?/) != nil
    }

    /// Removes the files of an earlier process, except whole files that wait for a name.
    package static func removeAll(in directory: LibraryDirectory, except kept: Set<String>) {
        for name in SystemFile.names(in: directory.media, startingWith: prefix)
        where isName(name) && !kept.contains(name) {
            _ = try? SystemFile.remove(directory.mediaFile(name))
        }
    }
}
