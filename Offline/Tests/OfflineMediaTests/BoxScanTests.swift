// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct BoxScanTests {
    private func scan(_ bytes: [UInt8]) throws -> Bool? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/film"
        try Data(bytes).write(to: URL(filePath: path))
        return try BoxScan.isWhole(path)
    }

    private func box(_ name: String, _ content: Int, length: UInt32? = nil) -> [UInt8] {
        let length = length ?? UInt32(8 + content)
        let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        return header + Array(name.utf8) + [UInt8](repeating: 0, count: content)
    }

    @Test func o4_boxesThatEndWithTheFileAreWhole() throws {
        #expect(try scan(box("ftyp", 16) + box("moov", 40) + box("mdat", 100)) == true)
        let long = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]
        #expect(try scan(box("ftyp", 0) + long) == true)
    }

    @Test(arguments: [1, 7, 9, 99]) func o4_aBoxThatLacksBytesIsNot(_ missing: Int) throws {
        let film = box("ftyp", 16) + box("moov", 40) + box("mdat", 100)
        #expect(try scan(film.dropLast(missing)) == false)
        #expect(try scan(film + box("free", 8).prefix(missing % 8)) == false)
    }

    @Test func o4_aTagBehindTheLastBoxIsNoLoss() throws {
        let tag = Array("TAGTitle of the film".utf8) + [UInt8](repeating: 0, count: 108)
        #expect(try scan(box("ftyp", 16) + box("moov", 40) + box("mdat", 100) + tag) == true)
        #expect(try scan(box("ftyp", 16) + box("mdat", 100) + tag) == false)
    }

    @Test func aFileOfAnotherFormatIsUnknown() throws {
        #expect(try scan([]) == nil)
        #expect(try scan(Array("WEBVTT\n\n00:01".utf8)) == nil)
        #expect(try scan(box("RIFF", 16)) == nil)
        #expect(try scan(box("ftyp", 16) + box("mdat", 100, length: 0)) == nil)
    }
}
