// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
package import TidingsFiles

/// The mark that the user has replaced the address of an item and that the item keeps its data.
///
/// The mark is on disk before the registry records the new address, and stays until the data are
/// known to match the new address. Until then, the name of a version proves nothing, because
/// another server gave the name.
package struct ReplacedAddress: Sendable {
    /// The folder of the library.
    let directory: LibraryDirectory
    /// The item.
    let id: ItemID

    /// Creates the mark of an item, without setting it.
    package init(directory: LibraryDirectory, id: ItemID) {
        self.directory = directory
        self.id = id
    }

    private var path: String { directory.replacement(of: id) }

    /// Whether the data may belong to another address.
    var isMarked: Bool { SystemFile.exists(path) }

    /// Sets the mark if the item has data.
    ///
    /// Returns whether the mark is new.
    package func mark() throws(SystemError) -> Bool {
        guard SystemFile.exists(directory.work(of: id)), !isMarked else { return false }
        try AtomicFile(path: path, isLocked: true).replace(with: Data())
        return true
    }

    /// Removes the mark.
    ///
    /// The caller must first record the content of the new address.
    ///
    /// If the process is killed before this call, the mark remains and the next run compares the
    /// data once more.
    package func clear() throws(SystemError) {
        try SystemFile.remove(path)
    }
}
