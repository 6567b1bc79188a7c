// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsFiles

/// The extras of an item that the page of the present run states.
struct StatedExtras: Hashable, Sendable {
    /// Whether the recorded chapters come from the page.
    var hasChapters = false
    /// Whether the stored cover is the picture of the page.
    var hasCover = false
}

extension DownloadEnvironment {
    /// Removes the extras of an item whose content starts over, except the extras that the page
    /// states.
    func removeExtras(of id: ItemID, except stated: StatedExtras) throws {
        if !stated.hasChapters { try journal.files.setChapters([], of: id) }
        if !stated.hasCover { try SystemFile.remove(directory.cover(of: id)) }
    }
}
