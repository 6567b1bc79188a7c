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

    /// The address that the page named, without its query; nil if the item's own is the media's.
    var address: WebAddress? {
        guard let text = try? file.read(limit: Self.limit) else { return nil }
        return try? WebAddress(String(decoding: text, as: UTF8.self))
    }

    /// Removes the record of the page whose address a person has replaced.
    ///
    /// The new address may be that of the media or of a page, whatever the earlier one was.
    func forget() throws(SystemError) {
        try SystemFile.remove(environment.directory.reference(of: id))
    }

    /// Whether there are bytes of an unfinished file.
    var hasBytes: Bool { stored.count > 0 }

    private var stored: StoredBytes { StoredBytes(directory: environment.directory, id: id) }

    /// Records the address for the next bytes, and removes those of another address.
    ///
    /// After a person has replaced the item's address, the bytes stay: they are compared with those
    /// of the new address. The query is no part of the record: it changes whenever the page signs
    /// the address anew.
    ///
    /// - Returns: Whether bytes were removed.
    func record(_ address: WebAddress) throws -> Bool {
        let text = Data(address.redacted.utf8)
        if try file.read(limit: Self.limit) == text { return false }
        if ReplacedAddress(directory: environment.directory, id: id).isMarked {
            try file.replace(with: text)
            return false
        }
        let hadBytes = try stored.remove()
        try environment.journal.registry.setTransfer(TransferRecord(), of: id)
        try file.replace(with: text)
        return hadBytes
    }
}
