// SPDX-License-Identifier: Apache-2.0
import COfflineCrypto
import Glibc
import TidingsFiles

/// Computes the checksum of a file.
enum FileDigest {
    private static let pieceSize = 1 << 20

    /// Returns whether a file has a checksum.
    ///
    /// Blocks until it has read all bytes, or its task is cancelled.
    ///
    /// - Throws: `SystemError` if the file cannot be read, `DownloadError` with `.toolMissing` if
    ///   the system does not provide the algorithm, and `CancellationError`.
    static func matches(_ checksum: Checksum, fileAt path: String) throws -> Bool {
        guard let context = EVP_MD_CTX_new() else { throw unavailable(checksum) }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, function(of: checksum.algorithm), nil) == 1 else {
            throw unavailable(checksum)
        }
        let file = try FileDescriptor(path, O_RDONLY)
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            try Task.checkCancellation()
            let count = read(file.number, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read", path: path) }
            if count == 0 { break }
            guard EVP_DigestUpdate(context, piece, count) == 1 else { throw unavailable(checksum) }
        }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &count) == 1 else { throw unavailable(checksum) }
        return digest.prefix(Int(count)).map(hexadecimal).joined() == checksum.digits
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func function(of algorithm: Checksum.Algorithm) -> OpaquePointer? {
        switch algorithm {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
    }

    private static func unavailable(_ checksum: Checksum) -> DownloadError {
        DownloadError(
            .toolMissing,
            "This system does not compute \(checksum.algorithm.rawValue). Remove the item and add "
                + "its address again with a checksum of sha256."
        )
    }
}
