// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct CoverTests {
    private let folder: TemporaryFolder
    private var cover: Cover { Cover(path: folder.path + "/cover.jpg") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A PNG of one red pixel.
    private static let pixel =
        Data(base64Encoded: encodedPixel).map { [UInt8]($0) } ?? []

    @Test func aPictureBecomesAJPEG() async throws {
        try await cover.write(Self.pixel)
        let bytes = try #require(SystemFile.read(cover.path, limit: 1 << 20))
        #expect(ContentSniffer.kind(of: bytes, contentType: nil) { _ in false } == .jpeg)
        #expect(SystemFile.names(in: folder.path) == ["cover.jpg"])
    }

    private static let encodedPixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAA"
        + "AElFTkSuQmCC"

    /// A picture with a header that states 65,535 × 65,535 pixels.
    private static var bomb: [UInt8] {
        var bytes = pixel
        bytes.replaceSubrange(16..<24, with: [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])
        return bytes
    }

    @Test(arguments: [
        [], [UInt8]("<html><script>".utf8), [UInt8]("<svg xmlns='x'/>".utf8),
        [UInt8]("#EXTM3U\nfile:///etc/passwd".utf8), Array(pixel.prefix(30)), [0xff, 0xd8, 0xff],
        bomb,
    ])
    func otherContentIsNoPicture(bytes: [UInt8]) async throws {
        await #expect(throws: (any Error).self) { try await cover.write(bytes) }
        #expect(SystemFile.names(in: folder.path).isEmpty)
    }
}
