// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles

/// Compares a downloaded file with the checksum that the request states.
struct ChecksumCheck: Sendable {
    let environment: DownloadEnvironment
    let id: ItemID

    /// Throws if the item has a checksum, because the address did not return a plain file.
    ///
    /// - Parameter source: The format at the address, with an article.
    /// - Throws: `DownloadError` with `.refused`.
    func refuse(_ source: String) throws {
        guard try environment.journal.items.options(of: id).checksum != nil else { return }
        throw DownloadError(
            .refused,
            "A checksum belongs to a file that is kept as it came, and this address returned "
                + "\(source). Remove the item and add its address again without a checksum."
        )
    }

    /// Compares a complete file with the checksum, and deletes a file that does not match.
    ///
    /// - Throws: `DownloadError` with `.checksum` if the file does not match.
    func run(on path: String) async throws {
        let journal = environment.journal
        guard let checksum = try journal.items.options(of: id).checksum else { return }
        if try await FileDigest.matches(checksum, fileAt: path) { return }
        // Without the deletion, a retry would continue these bytes.
        try journal.downloads.setTransfer(TransferRecord(), of: id)
        try SystemFile.remove(path)
        throw DownloadError(
            .checksum,
            "The file does not have the checksum \(checksum.algorithm.rawValue):"
                + "\(checksum.digits.prefix(8))…, so it was not kept. Check the checksum and the "
                + "address, then try again."
        )
    }
}
