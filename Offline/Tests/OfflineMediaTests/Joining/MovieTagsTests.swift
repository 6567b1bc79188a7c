// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct MovieTagsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SampleMedia.makeStream(in: folder.path, [])
    }

    private var film: String { "\(folder.path)/film.mp4" }

    private func mux() async throws {
        let segments = (0..<6).map { "\(folder.path)/part\($0).ts" }
        try await Muxer().mux(segments: segments, kind: .mpegTS, into: film)
    }

    private func title() throws -> String {
        try SampleMedia.entries("format_tags=title", of: film).joined(separator: "\n")
    }

    @Test(
        arguments: ["A film", "", "Ünïcode 日本語 🎬", "-i; $(id) \"quoted\" <b>", "x"]
    )
    func o21_theTitleIsInTheFile(title: String) async throws {
        try await mux()
        let before = try Data(contentsOf: URL(filePath: film)).count
        try MovieTags.write(title: title, to: film)
        let shown = try self.title().trimmingCharacters(in: ["\""])
        #expect(shown.replacing("\"\"", with: "\"") == title)
        #expect(try Data(contentsOf: URL(filePath: film)).count == before)
        #expect(try SampleMedia.frames(of: film) == 60)
    }

    @Test func aLongTitleIsCutAfterACharacter() async throws {
        try await mux()
        try MovieTags.write(title: String(repeating: "日", count: 400), to: film)
        #expect(try title() == String(repeating: "日", count: 168))
        #expect(try SampleMedia.frames(of: film) == 60)
    }

    @Test func aFileWithoutThePlaceholderKeepsItsTitle() throws {
        try SampleMedia.makeFile("film.mp4", in: folder.path)
        let before = try Data(contentsOf: URL(filePath: film))
        try MovieTags.write(title: "Another", to: film)
        #expect(try Data(contentsOf: URL(filePath: film)) == before)
    }

    @Test(arguments: ["", "no film", "\0\0\0\u{8}free"])
    func aFileWithoutAnIndexFails(content: String) throws {
        try Data(content.utf8).write(to: URL(filePath: film))
        #expect(throws: MediaError.self) { try MovieTags.write(title: "A", to: film) }
    }

    @Test(arguments: ["Director’s cut", "-i; $(id)", "", String(repeating: "日", count: 40)])
    func o20_theNameOfATrackIsInTheFile(name: String) async throws {
        try await mux()
        let input = TrackCombiner.Input(
            path: film,
            delay: 0,
            description: TrackDescription(name: "x", purpose: .commentary),
            soundCount: 1,
            number: 1
        )
        let output = "\(folder.path)/named.mp4"
        try await TrackCombiner().combine([input], into: output, index: .start)
        try MovieTags.write(title: "A film", names: [nil, name], to: output)
        let probed = try await MediaProbe().probe(output)
        #expect(probed.audio?.name == (name.isEmpty ? nil : name))
        #expect(probed.audio?.purpose == .commentary)
        #expect(probed.title == "A film")
        #expect(try SampleMedia.frames(of: output) == 60)
    }

    /// Apple's players show HEVC only with this codec tag.
    @Test func o21_hevcIsMarkedForApplesPlayers() async throws {
        let options = ["-c:v", "libx265", "-x265-params", "log-level=none"]
        try SampleMedia.convert("part0.ts", to: "hevc.ts", options, in: folder.path)
        let source = "\(folder.path)/hevc.ts"
        try await Muxer().mux(segments: [source], kind: .mpegTS, into: film)
        #expect(try SampleMedia.entries("stream=codec_tag_string", of: film).first == "hev1")
        let frames = try SampleMedia.frames(of: film)
        try MovieTags.write(title: "A film", to: film)
        #expect(try SampleMedia.entries("stream=codec_tag_string", of: film).first == "hvc1")
        #expect(try SampleMedia.frames(of: film) == frames && frames > 0)
    }
}
