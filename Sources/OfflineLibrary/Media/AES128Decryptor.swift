import CTidingsCrypto
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Decrypts one HLS segment as it arrives: AES-128 in CBC mode with PKCS #7 padding.
///
/// `update` for each part in order, then `finish` once. Not Sendable.
package final class AES128Decryptor {
    /// The bytes of a key, of an initialisation vector and of a block.
    package static let blockSize = 16

    private let context: OpaquePointer
    private var received = 0
    private var isFinished = false

    /// Creates a decryptor for one segment.
    ///
    /// Throws `.wrongKey` if key or vector are not 16 bytes, as when a server answered a request
    /// for the key with a page.
    package init(key: [UInt8], iv: [UInt8]) throws(MediaError) {
        guard key.count == Self.blockSize, iv.count == Self.blockSize else {
            throw MediaError(
                .wrongKey,
                "The stream's key has \(key.count) bytes instead of 16; log in there or try again."
            )
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.outOfOrder() }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, iv) == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw Self.outOfOrder()
        }
        self.context = context
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Returns what can be decrypted so far; up to a block stays behind for the next call.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> [UInt8] {
        guard !isFinished, bytes.count < Int(Int32.max) - Self.blockSize else {
            throw Self.outOfOrder()
        }
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            return []
        }
        var isGood = false
        let clear = [UInt8](unsafeUninitializedCapacity: bytes.count + Self.blockSize) {
            buffer,
            count in
            var written: Int32 = 0
            let size = Int32(bytes.count)
            isGood = EVP_DecryptUpdate(context, buffer.baseAddress, &written, start, size) == 1
            count = isGood ? Int(written) : 0
        }
        guard isGood else { throw Self.outOfOrder() }
        received += bytes.count
        return clear
    }

    /// Returns the rest without the padding, which shows whether the key was right.
    package func finish() throws(MediaError) -> [UInt8] {
        guard !isFinished else { throw Self.outOfOrder() }
        isFinished = true
        guard received > 0, received.isMultiple(of: Self.blockSize) else {
            throw MediaError(
                .cannotRead,
                "An encrypted segment has \(received) bytes, which is no whole number of blocks; "
                    + "it was cut. Try again."
            )
        }
        var isGood = false
        let rest = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, count in
            var written: Int32 = 0
            isGood = EVP_DecryptFinal_ex(context, buffer.baseAddress, &written) == 1
            count = isGood ? Int(written) : 0
        }
        guard isGood else {
            throw MediaError(
                .wrongKey,
                "A segment cannot be decrypted with the key its playlist names; try again later."
            )
        }
        return rest
    }

    private static func outOfOrder() -> MediaError {
        MediaError(.failed, "libcrypto refused to decrypt; restart the program and try again.")
    }
}
