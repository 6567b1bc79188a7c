// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct LiveWindowTests {
    /// Returns a playlist with segments of two seconds and these names.
    private func playlist(
        _ names: some Sequence<String>,
        sequence: Int?,
        ended: Bool = false,
        tags: [String: String] = [:],
        head: String = ""
    ) throws -> MediaPlaylist {
        let lines = names.map { "\(tags[$0].map { "\($0)\n" } ?? "")#EXTINF:2,\n\($0).ts\n" }
        let number = sequence.map { "#EXT-X-MEDIA-SEQUENCE:\($0)\n" } ?? ""
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(number)\(head)" + lines.joined()
            + (ended ? "#EXT-X-ENDLIST\n" : "")
        let parsed = try PlaylistParser.parse(
            [UInt8](text.utf8),
            at: try WebAddress(PlaylistFixtures.base),
            acceptsLive: true
        )
        guard case .media(let playlist) = parsed else {
            throw PlaylistError(.invalid, "A media playlist was expected.")
        }
        return playlist
    }

    /// Returns a playlist with segments that are named by number.
    private func numbered(_ numbers: Range<Int>, ended: Bool = false) throws -> MediaPlaylist {
        try playlist(numbers.map { "s\($0)" }, sequence: numbers.lowerBound, ended: ended)
    }

    /// Returns the names of the parts.
    ///
    /// A gap appears as a duration, and a discontinuity has a bar.
    private func names(_ addition: LiveWindow.Addition) -> [String] {
        addition.parts.map { part in
            let name = part.address.lastPathComponent.prefix { $0 != "." }
            let text = part.identity == "gap" ? "\(part.duration ?? -1)" : String(name)
            return (part.isDiscontinuity ? "|" : "") + text
        }
    }

    @Test func o25_allThatTheFirstPlaylistListsIsRecorded() throws {
        var window = LiveWindow()
        let addition = window.accept(try numbered(7..<10))
        #expect(names(addition) == ["s7", "s8", "s9"])
        #expect(addition.end == nil)
        #expect(window.seconds == 6 && window.partCount == 3)
    }

    @Test func o25_onlyNewSegmentsAreAddedAfterwards() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<3))
        #expect(try names(window.accept(numbered(0..<3))).isEmpty)
        #expect(try names(window.accept(numbered(1..<5))) == ["s3", "s4"])
        #expect(try names(window.accept(numbered(5..<6))) == ["s5"])
        #expect(window.seconds == 12)
    }

    @Test func o25_segmentsThatLeftTheWindowAreAGap() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<3))
        let addition = window.accept(try numbered(8..<10))
        #expect(names(addition) == ["10.0", "s8", "s9"])
        #expect(addition.parts.map(\.isGap) == [true, false, false])
        #expect(window.seconds == 20 && window.partCount == 6)
    }

    @Test func anOlderPlaylistOfAnotherServerAddsNothing() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<6))
        #expect(try names(window.accept(numbered(1..<5))).isEmpty)
        #expect(try names(window.accept(numbered(2..<7))) == ["s6"])
    }

    @Test func o25_aServerThatNumbersAnewIsADiscontinuity() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(50..<53))
        let addition = window.accept(try playlist(["x", "y"], sequence: 0))
        #expect(names(addition) == ["0.0", "|x", "y"])
        #expect(try names(window.accept(playlist(["x", "y", "z"], sequence: 0))) == ["z"])
    }

    @Test func o25_aServerThatBeginsAgainWithTheSameNamesIsADiscontinuity() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<8))
        // The first playlist may come from a server that is behind.
        #expect(try names(window.accept(numbered(0..<2))).isEmpty)
        #expect(try names(window.accept(numbered(0..<3))) == ["0.0", "|s0", "s1", "s2"])
    }

    @Test func o25_aServerThatIsFarBehindRepeatsNothing() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<8))
        for _ in 1...3 { #expect(try names(window.accept(numbered(0..<4))).isEmpty) }
        #expect(try names(window.accept(numbered(2..<9))) == ["s8"])
        #expect(try names(window.accept(numbered(1..<5))).isEmpty)
        #expect(try names(window.accept(numbered(5..<10))) == ["s9"])
    }

    @Test func theSessionInANameChangesNothing() throws {
        var window = LiveWindow()
        _ = window.accept(try playlist(["m_w81_0", "m_w81_1"], sequence: 0))
        let next = ["m_w92_0", "m_w92_1", "m_w92_2"]
        #expect(try names(window.accept(playlist(next, sequence: 0))) == ["m_w92_2"])
    }

    @Test func segmentsAreRecognizedByTheirAddressIfTheirNumbersMeanNothing() throws {
        var window = LiveWindow()
        _ = window.accept(try playlist(["a", "b", "c"], sequence: nil))
        #expect(try names(window.accept(playlist(["b", "c", "d"], sequence: nil))) == ["d"])
        #expect(try names(window.accept(playlist(["c", "d", "e"], sequence: 900))) == ["e"])
        #expect(try names(window.accept(playlist(["d", "e", "f"], sequence: 3))) == ["f"])
    }

    @Test func anImpossibleNumberIsNoGapOfYears() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(0..<2))
        let addition = window.accept(try playlist(["x"], sequence: Int.max / 2))
        #expect(names(addition) == ["0.0", "|x"])
        #expect(window.seconds == 6)
    }

    @Test func theTokenOfANewSessionChangesNothing() throws {
        var window = LiveWindow()
        _ = window.accept(try playlist(["one/s0", "one/s1"], sequence: 0))
        let addition = window.accept(try playlist(["two/s0", "two/s1", "two/s2"], sequence: 0))
        #expect(names(addition) == ["s2"])
    }

    @Test func aLostDiscontinuityIsFoundByItsNumber() throws {
        let head = "#EXT-X-DISCONTINUITY-SEQUENCE:"
        var window = LiveWindow()
        _ = window.accept(try playlist(["a"], sequence: 0, head: head + "4\n"))
        let same = try playlist(["c"], sequence: 2, head: head + "4\n")
        #expect(names(window.accept(same)) == ["2.0", "c"])
        let other = try playlist(["e"], sequence: 4, head: head + "5\n")
        #expect(names(window.accept(other)) == ["2.0", "|e"])
    }

    @Test func aDiscontinuityThatTheWindowListsIsKeptOnce() throws {
        let tags = ["b": "#EXT-X-DISCONTINUITY"]
        var window = LiveWindow()
        #expect(try names(window.accept(playlist(["a"], sequence: 0, tags: tags))) == ["a"])
        let next = try playlist(["a", "b"], sequence: 0, tags: tags)
        #expect(names(window.accept(next)) == ["|b"])
        #expect(names(window.accept(next)).isEmpty)
    }

    @Test func anInitializationSectionIsAddedWhenItChanges() throws {
        let first = "#EXT-X-MAP:URI=\"i1.mp4\"\n"
        var window = LiveWindow()
        let begin = window.accept(try playlist(["a"], sequence: 0, head: first))
        #expect(names(begin) == ["i1", "a"])
        #expect(try names(window.accept(playlist(["a", "b"], sequence: 0, head: first))) == ["b"])
        let second = "#EXT-X-MAP:URI=\"i2.mp4\"\n"
        let changed = window.accept(try playlist(["c"], sequence: 2, head: second))
        #expect(names(changed) == ["i2", "c"])
        #expect(window.partCount == 5)
    }

    @Test func o25_theEndOfTheListEndsTheRecording() throws {
        var window = LiveWindow()
        let addition = window.accept(try numbered(0..<2, ended: true))
        #expect(names(addition) == ["s0", "s1"] && addition.end == .list)
    }

    @Test func o25_theTimeEndsTheRecordingAfterTheSegmentThatReachesIt() throws {
        var window = LiveWindow()
        #expect(try window.accept(numbered(0..<2), until: 5).end == nil)
        let addition = window.accept(try numbered(0..<9), until: 5)
        #expect(names(addition) == ["s2"] && addition.end == .time)
        #expect(try names(window.accept(numbered(0..<9), until: 5)).isEmpty)
    }

    @Test func theNumberOfPartsIsLimited() throws {
        var window = LiveWindow()
        let addition = window.accept(try numbered(0..<100), parts: 10)
        #expect(addition.parts.count == 10 && addition.end == .tooLong)
    }

    @Test func anEmptyPlaylistIsAwaited() throws {
        var window = LiveWindow()
        #expect(try window.accept(numbered(0..<0)) == LiveWindow.Addition())
        #expect(window.isEmpty)
        #expect(try names(window.accept(numbered(0..<1))) == ["s0"])
    }

    @Test func partialSegmentsAreIgnored() throws {
        let hints = """
            #EXT-X-PART-INF:PART-TARGET=0.5
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12
            #EXT-X-PART:DURATION=0.5,URI="p.ts"

            """
        var window = LiveWindow()
        #expect(try names(window.accept(playlist(["a"], sequence: 0, head: hints))) == ["a"])
    }

    @Test func aStoredPositionContinues() throws {
        var window = LiveWindow()
        _ = window.accept(try numbered(3..<6))
        let data = try JSONEncoder().encode(window)
        var again = try JSONDecoder().decode(LiveWindow.self, from: data)
        #expect(again == window)
        #expect(try names(again.accept(numbered(5..<7))) == ["s6"])
    }
}
