// SPDX-License-Identifier: Apache-2.0
import COfflineCrypto
import Tidings

/// Decrypts one HLS segment incrementally: AES-128 in CBC mode with PKCS #7 padding.
///
/// Call `update` for each part in order, then `finish` once. Not Sendable.
package final class AES128Decryptor {
    /// The size in bytes of a key, of an initialization vector and of a block.
    package static let blockSize = 16

    private let context: OpaquePointer
    private var received = 0
    private var isFinished = false

    /// Creates a decryptor for one segment.
    ///
    /// Throws `.wrongKey` if the key or the vector does not have 16 bytes, for example because the
    /// server returned a login page in place of the key.
    package init(key: [UInt8], iv: [UInt8]) throws(MediaError) {
        guard key.count == Self.blockSize, iv.count == Self.blockSize else {
            throw MediaError(
                .wrongKey,
                "The key of the stream has \(key.count) bytes instead of 16. Log in to the site, "
                    + "or try again later."
            )
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.cipherFailure() }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, iv) == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw Self.cipherFailure()
        }
        self.context = context
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Returns the bytes that can be decrypted so far, and keeps up to one block for the next call.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> [UInt8] {
        guard !isFinished, bytes.count < Int(Int32.max) - Self.blockSize else {
            throw Self.cipherFailure()
        }
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            return []
        }
        var succeeded = false
        let clear = [UInt8](unsafeUninitializedCapacity: bytes.count + Self.blockSize) {
            buffer,
            count in
            var written: Int32 = 0
            let size = Int32(bytes.count)
            succeeded = EVP_DecryptUpdate(context, buffer.baseAddress, &written, start, size) == 1
            count = succeeded ? Int(written) : 0
        }
        guard succeeded else { throw Self.cipherFailure() }
        received += bytes.count
        return clear
    }

    /// Returns the remaining bytes without the padding.
    ///
    /// Throws `.wrongKey` if the padding is invalid, and `.cannotRead` if the segment is truncated.
    package func finish() throws(MediaError) -> [UInt8] {
        guard !isFinished else { throw Self.cipherFailure() }
        isFinished = true
        guard received > 0, received.isMultiple(of: Self.blockSize) else {
            throw MediaError(
                .cannotRead,
                "An encrypted segment is truncated: \(received) bytes are not a multiple of the "
                    + "block size. Try again."
            )
        }
        var succeeded = false
        let rest = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, count in
            var written: Int32 = 0
            succeeded = EVP_DecryptFinal_ex(context, buffer.baseAddress, &written) == 1
            count = succeeded ? Int(written) : 0
        }
        guard succeeded else {
            throw MediaError(
                .wrongKey,
                "The key in the playlist does not decrypt a segment. Try again later."
            )
        }
        return rest
    }

    private static func cipherFailure() -> MediaError {
        MediaError(.failed, "libcrypto failed to decrypt. Restart the program and try again.")
    }
}
