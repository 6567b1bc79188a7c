// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct StreamSectionTests {
    /// Returns the sections of parts.
    ///
    /// The letters `h` and `H` are different headers, `.` is a segment, `-` is a gap, and `|`
    /// stands before a segment after a discontinuity.
    private func sections(_ text: String) throws -> [StreamSection] {
        var parts: [Part] = []
        var headers: [Character] = []
        var isDiscontinuity = false
        for character in text {
            guard character != "|" else {
                isDiscontinuity = true
                continue
            }
            var part = Part(
                address: try WebAddress("http://example.org/\(parts.count)"),
                identity: ""
            )
            part.isInitialization = character != "." && character != "-"
            part.isGap = character == "-"
            if !part.isInitialization {
                part.isDiscontinuity = isDiscontinuity
                isDiscontinuity = false
            }
            parts.append(part)
            headers.append(character)
        }
        return StreamSection.sections(of: parts[...]) { headers[$0] == headers[$1] }
    }

    @Test func gapsBelongToTheirSection() throws {
        let all = try sections(".-.|-.--")
        #expect(
            all == [
                StreamSection(segments: [0, 2], gaps: [1]),
                StreamSection(segments: [4], gaps: [3, 5, 6]),
            ]
        )
        #expect(all[0].gapsBeforeSegments == [[], [1]])
        #expect(all[1].gapsBeforeSegments == [[3]])
        #expect(try sections("--") == [])
        #expect(
            try sections(".-.-.-")[0].divided(before: [2]) == [
                StreamSection(segments: [0, 2], gaps: [1, 3]),
                StreamSection(segments: [4], gaps: [5]),
            ]
        )
    }

    @Test func segmentsWithoutDiscontinuityAreOneSection() throws {
        #expect(try sections("...") == [StreamSection(header: nil, segments: [0, 1, 2])])
        #expect(try sections("h..") == [StreamSection(header: 0, segments: [1, 2])])
        #expect(try sections("") == [])
    }

    @Test func aDiscontinuityBeginsASectionWithTheSameHeader() throws {
        #expect(
            try sections("|h.|..") == [
                StreamSection(header: 0, segments: [1]),
                StreamSection(header: 0, segments: [2, 3]),
            ]
        )
    }

    @Test func onlyAHeaderWithOtherBytesBeginsASection() throws {
        #expect(try sections("h.h.") == [StreamSection(header: 0, segments: [1, 3])])
        #expect(
            try sections("h.|H.h.") == [
                StreamSection(header: 0, segments: [1]),
                StreamSection(header: 2, segments: [3]),
                StreamSection(header: 4, segments: [5]),
            ]
        )
    }

    @Test func aSectionIsDividedBeforeASegment() {
        let section = StreamSection(header: 0, segments: [1, 2, 3])
        #expect(section.parts == [0, 1, 2, 3])
        #expect(
            section.divided(before: [1, 2]) == [
                StreamSection(header: 0, segments: [1]),
                StreamSection(header: 0, segments: [2]),
                StreamSection(header: 0, segments: [3]),
            ]
        )
    }
}
