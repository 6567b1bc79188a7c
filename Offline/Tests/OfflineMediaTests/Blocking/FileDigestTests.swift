// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct FileDigestTests {
    // The checksums of "abc" are from RFC 1321 and FIPS 180-4.
    @Test(arguments: [
        "md5:900150983cd24fb0d6963f7d28e17f72",
        "SHA-1:A9993E364706816ABA3E25717850C26C9CD0D89D",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ])
    func o4_theChecksumOfAFileIsCompared(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let checksum = try Checksum(text)
        try Data("abc".utf8).write(to: URL(filePath: path))
        #expect(try await FileDigest.matches(checksum, fileAt: path))
        try Data("abd".utf8).write(to: URL(filePath: path))
        #expect(try await !FileDigest.matches(checksum, fileAt: path))
        await #expect(throws: SystemError.self) {
            try await FileDigest.matches(checksum, fileAt: folder.path + "/none")
        }
    }

    @Test func o8_aCancelledTaskReadsNoFurther() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let file = try FileDescriptor(path, O_RDWR | O_CREAT)
        #expect(ftruncate(file.number, 1 << 30) == 0)
        let checksum = try Checksum("md5:900150983cd24fb0d6963f7d28e17f72")
        let task = Task { try await FileDigest.matches(checksum, fileAt: path) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["", "sha256", "sha256:", "crc32:00", "md5:zz", "md5:\u{FF10}", "sha224:00"])
    func anInvalidChecksumIsRefused(_ text: String) {
        #expect(throws: LibraryError.self) { try Checksum(text) }
    }
}
