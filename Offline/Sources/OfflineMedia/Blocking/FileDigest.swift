// SPDX-License-Identifier: Apache-2.0
import COfflineCrypto
import Glibc
package import OfflineModel
import TidingsFiles

/// Computes the checksum of a file or of a text.
package enum FileDigest {
    private static let pieceSize = 1 << 20

    /// Returns whether a file has a checksum.
    ///
    /// - Throws: `SystemError` if the file cannot be read, `DownloadError` with `.toolMissing` if
    ///   the system does not provide the algorithm, and `CancellationError`.
    package static func matches(_ checksum: Checksum, fileAt path: String) async throws -> Bool {
        let digests = try await performCancellable { cancellation in
            try Self.digests(ofFileAt: path, [checksum.algorithm]) { _ in
                try cancellation.check()
            }
        }
        return digests[checksum.algorithm] == checksum.digits
    }

    /// Returns the checksums of a file in hexadecimal digits.
    ///
    /// The method reads from the disk and not from the system's page cache, which can hide damage.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - algorithms: The algorithms of the checksums.
    ///   - count: A closure that receives the number of bytes of each piece, and throws to end the
    ///     reading.
    /// - Returns: A checksum for each algorithm.
    /// - Throws: The errors of `matches`, but the error of `count` instead of `CancellationError`.
    package static func digests(
        ofFileAt path: String,
        _ algorithms: Set<Checksum.Algorithm>,
        _ count: (Int) throws -> Void
    ) throws -> [Checksum.Algorithm: String] {
        var contexts: [Checksum.Algorithm: OpaquePointer] = [:]
        defer { for context in contexts.values { EVP_MD_CTX_free(context) } }
        for algorithm in algorithms {
            guard let context = EVP_MD_CTX_new() else { throw unavailable(algorithm) }
            contexts[algorithm] = context
            guard EVP_DigestInit_ex(context, function(of: algorithm), nil) == 1 else {
                throw unavailable(algorithm)
            }
        }
        let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        posix_fadvise(file.number, 0, 0, POSIX_FADV_SEQUENTIAL)
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let size = read(file.number, &piece, piece.count)
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { throw SystemError("read", path: path) }
            try count(size)
            if size == 0 { break }
            for (algorithm, context) in contexts {
                guard EVP_DigestUpdate(context, piece, size) == 1 else {
                    throw unavailable(algorithm)
                }
            }
        }
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        return try contexts.reduce(into: [:]) { digests, entry in
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var count: UInt32 = 0
            guard EVP_DigestFinal_ex(entry.value, &digest, &count) == 1 else {
                throw unavailable(entry.key)
            }
            digests[entry.key] = digest.prefix(Int(count)).map(hexadecimal).joined()
        }
    }

    /// Returns the SHA-256 of a text in hexadecimal digits, or nil if the system lacks SHA-256.
    package static func sha256(of text: String) -> String? {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let bytes = Array(text.utf8)
        guard EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil) == 1 else {
            return nil
        }
        return digest.prefix(Int(count)).map(hexadecimal).joined()
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

    private static func unavailable(_ algorithm: Checksum.Algorithm) -> DownloadError {
        DownloadError(
            .toolMissing,
            "This system does not compute \(algorithm.rawValue). Remove the item and add "
                + "its address again with a checksum of sha256."
        )
    }
}
