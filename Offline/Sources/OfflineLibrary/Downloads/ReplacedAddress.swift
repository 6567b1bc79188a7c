// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The mark that a person has replaced the address of an item, whose data are kept.
///
/// It is on the disk before the new address is recorded, and until the data are known to be those
/// of the new address. Until then, the name of a version proves nothing: another server gave it.
struct ReplacedAddress: Sendable {
    let directory: LibraryDirectory
    let id: ItemID

    private var path: String { directory.replacement(of: id) }

    /// Whether the data may be those of another address.
    var isMarked: Bool { SystemFile.exists(path) }

    /// Sets the mark if the item has data, and returns whether it is new.
    func mark() throws(SystemError) -> Bool {
        guard SystemFile.exists(directory.work(of: id)), !isMarked else { return false }
        try AtomicFile(path: path, isLocked: true).replace(with: Data())
        return true
    }

    /// Removes the mark; call it after the content of the new address is recorded.
    ///
    /// A kill before leaves the mark, with which the next run compares the data once more.
    func clear() throws(SystemError) {
        try SystemFile.remove(path)
    }
}
