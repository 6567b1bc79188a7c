// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles

/// Compares a downloaded file with the checksum that its request states.
struct ChecksumCheck: Sendable {
    let environment: DownloadEnvironment
    let id: ItemID

    /// Throws if the item has a checksum, because its address returned no plain file.
    ///
    /// - Parameter source: The format at the address, with its article.
    /// - Throws: `DownloadError` with `.refused`.
    func refuse(_ source: String) throws {
        guard try environment.journal.registry.options(of: id).checksum != nil else { return }
        throw DownloadError(
            .refused,
            "A checksum belongs to a file that is kept as it came, and this address returned "
                + "\(source). Remove the item and add its address again without a checksum."
        )
    }

    /// Compares a complete file; one with another checksum is deleted.
    ///
    /// - Throws: `DownloadError` with `.checksum` for another checksum.
    func run(on path: String) async throws {
        let registry = environment.journal.registry
        guard let checksum = try registry.options(of: id).checksum else { return }
        if try await FileDigest.matches(checksum, fileAt: path) { return }
        // Otherwise a retry would continue these bytes.
        try registry.setTransfer(TransferRecord(), of: id)
        try SystemFile.remove(path)
        throw DownloadError(
            .checksum,
            "The file does not have the checksum \(checksum.algorithm.rawValue):"
                + "\(checksum.digits.prefix(8))…, so it was not kept. Check the checksum and the "
                + "address, then try again."
        )
    }
}
