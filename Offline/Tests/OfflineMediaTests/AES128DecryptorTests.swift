// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct AES128DecryptorTests {
    // `printf 'sixteen bytes ok and some more' |
    //     openssl enc -aes-128-cbc -K 000102…0f -iv 0f0e…00`
    private let key = [UInt8](0...15)
    private let iv = [UInt8]((0...15).reversed())
    private let cipher: [UInt8] = Self.bytes(
        "ab8aa3cda9213e80227cedb4c0443eea815936fa20f7426b1157e1ae1ab4b49f"
    )

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private func decrypt(_ bytes: [UInt8], by size: Int, key: [UInt8]? = nil) throws -> String {
        let decryptor = try AES128Decryptor(key: key ?? self.key, iv: iv)
        var clear: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = bytes[start..<min(start + size, bytes.count)]
            clear += try part.withUnsafeBytes { try decryptor.update($0) }
        }
        clear += try decryptor.finish()
        return String(decoding: clear, as: UTF8.self)
    }

    private func code(_ body: () throws -> Void) -> MediaError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MediaError)?.code
        }
    }

    @Test(arguments: [1, 5, 16, 17, 1000])
    func partsOfAnySizeDecryptToTheWhole(size: Int) throws {
        #expect(try decrypt(cipher, by: size) == "sixteen bytes ok and some more")
    }

    @Test func aWrongKeyThrows() {
        #expect(code { _ = try decrypt(cipher, by: 16, key: [UInt8](1...16)) } == .wrongKey)
    }

    @Test func aPageInPlaceOfTheKeyThrows() {
        let page = [UInt8]("<html>log in".utf8)
        #expect(code { _ = try AES128Decryptor(key: page, iv: iv) } == .wrongKey)
    }

    @Test(arguments: [0, 15, 17, 31])
    func aTruncatedSegmentThrows(length: Int) {
        #expect(code { _ = try decrypt([UInt8](cipher.prefix(length)), by: 16) } == .cannotRead)
    }

    @Test func everyCallAfterFinishThrows() throws {
        let decryptor = try AES128Decryptor(key: key, iv: iv)
        _ = try cipher.withUnsafeBytes { try decryptor.update($0) }
        _ = try decryptor.finish()
        #expect(code { _ = try decryptor.finish() } == .failed)
        #expect(code { _ = try cipher.withUnsafeBytes { try decryptor.update($0) } } == .failed)
    }
}
