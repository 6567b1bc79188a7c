// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.serialized, .timeLimit(.minutes(15)))
struct MediaProbeTests {
    private let folder: MediaFolder

    init() throws {
        folder = try MediaFolder()
    }

    @Test func propertiesMatchTheVideo() async throws {
        let properties = try await MediaProbe().probe(try await folder.makeVideo("film.mp4"))
        #expect(properties.video?.width == 640)
        #expect(properties.video?.height == 360)
        #expect(properties.video?.codec == "h264")
        #expect(properties.audio?.codec == "aac")
        #expect(properties.container.contains("mp4"))
        #expect(abs((properties.duration ?? 0) - 2) < 0.1)
    }

    @Test func coverArtIsNotVideo() async throws {
        let film = try await folder.makeVideo("film.mp4", seconds: 1)
        try await folder.run(
            "ffmpeg",
            ["-loglevel", "error", "-i", film, "-frames:v", "1", "c.jpg"]
        )
        try await folder.run(
            "ffmpeg",
            ["-nostdin", "-loglevel", "error", "-i", film, "-i", "c.jpg", "-map", "0:a"]
                + ["-map", "1:v", "-c:a", "libmp3lame", "-c:v", "copy", "song.mp3"]
        )
        let properties = try await MediaProbe().probe(folder.file("song.mp3"))
        #expect(properties.video == nil)
        #expect(properties.audio?.codec == "mp3")
    }

    @Test func o4_aTruncatedVideoIsNotMedia() async throws {
        let film = try await folder.makeVideo("film.mp4")
        let bytes = try folder.bytes("film.mp4")
        #expect(await mediaError { _ = try await MediaProbe().probe(film) } == nil)
        _ = try folder.write([UInt8](bytes.dropLast(bytes.count / 2)), to: "film.mp4")
        #expect(await mediaError { _ = try await MediaProbe().probe(film) }?.code == .notMedia)
    }

    @Test(arguments: ["", "hello", "<html></html>", "-i /etc/passwd"])
    func textIsNotMedia(text: String) async throws {
        let path = try folder.write(text, to: "film.mp4")
        #expect(await mediaError { _ = try await MediaProbe().probe(path) }?.code == .notMedia)
    }

    @Test func linksPipesAndFoldersAreRejected() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.mp4"),
            withDestinationPath: try await folder.makeVideo("film.mp4", seconds: 1)
        )
        _ = try ProcessLifetimePipe(folder.file("pipe.mp4"))
        for path in [folder.file("link.mp4"), folder.file("pipe.mp4"), folder.path, "film.mp4"] {
            let failure = await mediaError { _ = try await MediaProbe().probe(path) }
            #expect(failure?.code == .cannotRead, "\(path)")
        }
    }

    @Test func namesThatLookLikeOptionsAreTreatedAsNames() async throws {
        let film = try await folder.makeVideo("film.mp4", seconds: 1)
        for name in ["-i", "-y -f concat", "%03d.mp4", "a b'\"$(id).mp4", "http:a", "ü\n.mp4"] {
            let path = folder.file(name)
            try FileManager.default.copyItem(atPath: film, toPath: path)
            #expect(try await MediaProbe().probe(path).video != nil, "\(name)")
        }
    }

    @Test func aMissingProgramNamesItsPackage() async throws {
        let path = try folder.write("x", to: "film.mp4")
        let failure = await mediaError { _ = try await MediaProbe(searchPath: "").probe(path) }
        #expect(failure?.code == .toolMissing)
        #expect(failure?.message.contains("package ffmpeg") == true)
    }
}
