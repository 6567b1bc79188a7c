// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore
import TidingsFiles
import TidingsHTTP

/// The record that an item's bytes come from an address that the item's page named.
///
/// The record is on disk before the first of these bytes. A later run therefore never requests the
/// rest of the media from the page's server, and never appends bytes of other media.
struct RecordedReference: Sendable {
    private static let limit = 16 << 10

    let environment: DownloadEnvironment
    let id: ItemID

    private var file: AtomicFile {
        AtomicFile(path: environment.directory.reference(of: id), isLocked: true)
    }

    /// Whether the item's bytes come from an address that a page named.
    var exists: Bool { SystemFile.exists(environment.directory.reference(of: id)) }

    /// The address that the page named, without the query, or nil if the media come from the item's
    /// own address.
    var address: WebAddress? {
        guard let text = try? file.read(limit: Self.limit) else { return nil }
        return try? WebAddress(String(decoding: text, as: UTF8.self))
    }

    /// Removes the record of the page after the user has replaced the page's address.
    ///
    /// The new address may belong to the media or to a page, whatever the earlier address was.
    func forget() throws(SystemError) {
        try SystemFile.remove(environment.directory.reference(of: id))
    }

    /// Whether bytes of an unfinished file are on disk.
    var hasBytes: Bool { stored.count > 0 }

    private var stored: StoredBytes { StoredBytes(directory: environment.directory, id: id) }

    /// Records the address for the next bytes, and removes the bytes of another address.
    ///
    /// After the user has replaced the item's address, the bytes stay, because a later step
    /// compares the bytes with the content of the new address. The record excludes the query, which
    /// changes whenever the page signs the address anew.
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
        try environment.journal.downloads.setTransfer(TransferRecord(), of: id)
        try file.replace(with: text)
        return hadBytes
    }
}
