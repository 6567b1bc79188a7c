// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ExtrasMuxerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SampleMedia.makeStream(in: folder.path, [])
    }

    @Test func o21_theFilmHasItsChaptersAndItsTitle() async throws {
        let (film, list) = ("\(folder.path)/film.mp4", "\(folder.path)/chapters")
        let output = "\(folder.path)/output.mp4"
        let segments = (0..<6).map { "\(folder.path)/part\($0).ts" }
        try await Muxer().mux(segments: segments, kind: .mpegTS, into: film)
        let properties = try await MediaProbe().probe(film)
        let hostile = "-i =;#\\ [CHAPTER] 日本語 \"$(id)\" \\"
        let chapters = Chapter.list([
            (start: 0.5, title: "First"), (start: 1, title: hostile), (start: 2.25, title: ""),
        ])
        try chapters.metadata(duration: properties.duration).write(to: URL(filePath: list))
        try await ExtrasMuxer(chapters: list).add(to: film, into: output)
        try MovieTags.write(title: "A film", to: output)
        let result = try await MediaProbe().probe(output)
        #expect(result.chapters.map(\.start) == [0, 0.5, 1, 2.25])
        #expect(result.chapters.map(\.title) == ["Beginning", "First", hostile, "Chapter 3"])
        #expect(result.tracks.map(\.frames) == properties.tracks.map(\.frames))
        #expect(try SampleMedia.entries("format_tags=title", of: output) == ["A film"])
    }
}
