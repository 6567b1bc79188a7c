// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineMedia

@Suite(.serialized, .timeLimit(.minutes(15)))
struct ThumbnailerTests {
    private let folder: MediaFolder
    private var picture: String { folder.file("picture.jpg") }

    init() throws {
        folder = try MediaFolder()
    }

    private func size() async throws -> String {
        let arguments = ["-loglevel", "error", "-of", "csv=p=0", "-show_entries"]
        return try await folder.run("ffprobe", arguments + ["stream=width,height", picture])
    }

    @Test(arguments: [0, 1.5, 100, -5, .infinity, .nan])
    func aPictureIsWrittenForAnyTime(seconds: Double) async throws {
        let film = try await folder.makeVideo("film.mp4")
        try await Thumbnailer().makePicture(of: film, at: seconds, into: picture)
        #expect(try await size() == "480,270\n")
        #expect(!folder.has("picture.jpg.part"))
    }

    @Test func aSmallVideoKeepsItsSize() async throws {
        let film = try await folder.makeVideo("film.mp4", seconds: 1)
        try await Thumbnailer().makePicture(of: film, at: 0, into: picture, maxWidth: 4000)
        #expect(try await size() == "640,360\n")
    }

    @Test func audioHasNoPicture() async throws {
        let arguments = ["-loglevel", "error", "-f", "lavfi", "-i", "sine", "-t", "1", "a.wav"]
        try await folder.run("ffmpeg", arguments)
        let failure = await mediaError {
            try await Thumbnailer().makePicture(of: folder.file("a.wav"), at: 0, into: picture)
        }
        #expect(failure?.code == .notMedia)
        #expect(!folder.has("picture.jpg"))
        #expect(!folder.has("picture.jpg.part"))
    }

    @Test func anOldPictureSurvivesAFailure() async throws {
        let old = try folder.write("old", to: "picture.jpg")
        let text = try folder.write("no film", to: "film.mp4")
        let failure = await mediaError {
            try await Thumbnailer().makePicture(of: text, at: 0, into: old)
        }
        #expect(failure?.code == .notMedia)
        #expect(try folder.bytes("picture.jpg") == [UInt8]("old".utf8))
    }
}
