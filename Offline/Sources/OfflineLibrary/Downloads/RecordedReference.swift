// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsHTTP

/// The record that an item's bytes come from an address that its page named.
///
/// It is on the disk before the first of these bytes, so that a later run never sends a page's
/// server a request for the rest of the media, and never appends bytes of other media.
struct RecordedReference: Sendable {
    private static let limit = 16 << 10

    let environment: DownloadEnvironment
    let id: ItemID

    private var file: AtomicFile {
        AtomicFile(path: environment.directory.reference(of: id), isLocked: true)
    }

    /// Whether the item's bytes come from an address that a page named.
    var exists: Bool { SystemFile.exists(environment.directory.reference(of: id)) }

    /// Whether a person has replaced the item's address since its last bytes.
    ///
    /// The new address may be that of the media or of a page, whatever the earlier one was.
    var isReplaced: Bool { SystemFile.size(of: environment.directory.reference(of: id)) == 0 }

    /// Records that a person replaces the address of an item, whose bytes are kept.
    static func forget(of id: ItemID, in directory: LibraryDirectory) throws {
        guard SystemFile.exists(directory.work(of: id)) else { return }
        try AtomicFile(path: directory.reference(of: id), isLocked: true).replace(with: Data())
    }

    /// Whether there are bytes of an unfinished file.
    var hasBytes: Bool { stored.count > 0 }

    private var stored: StoredBytes { StoredBytes(directory: environment.directory, id: id) }

    /// Records the address for the next bytes, and removes those of another address.
    ///
    /// The query is no part of it: it changes whenever the page signs the address anew.
    ///
    /// - Returns: Whether bytes were removed.
    func record(_ address: WebAddress) throws -> Bool {
        let text = Data(address.redacted.utf8)
        if try file.read(limit: Self.limit) == text { return false }
        if isReplaced {
            // The validators and lengths decide whether the bytes are those of the new address.
            try file.replace(with: text)
            return false
        }
        let hadBytes = try stored.remove()
        try environment.journal.registry.setTransfer(TransferRecord(), of: id)
        try file.replace(with: text)
        return hadBytes
    }
}
