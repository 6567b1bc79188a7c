// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct LiveSettlementTests {
    private let address: WebAddress

    init() throws {
        address = try WebAddress("http://example.org/a")
    }

    /// Returns the records of a track.
    ///
    /// The letter `i` is an initialization section, and a capital letter is a part with a file.
    private func records(_ text: String, track: Int = 0) -> [PartRecord] {
        text.enumerated().map { number, letter in
            let isHeader = letter.lowercased() == "i"
            let part = Part(
                address: address,
                identity: "\(letter)",
                duration: isHeader ? nil : 2,
                isInitialization: isHeader
            )
            var record = PartRecord(PartID(track: track, number: number), part)
            if letter.isUppercase { record.size = 7 }
            return record
        }
    }

    private func text(_ settlement: LiveSettlement, track: Int = 0) -> String {
        settlement.records.filter { $0.id.track == track }
            .map { $0.part.isGap ? "-" : $0.part.identity }.joined()
    }

    @Test(arguments: [
        ("ABC", "ABC"), ("AbC", "A-C"), ("IABiCDIE", "IAB--IE"), ("iab", "--"), ("", ""),
    ])
    func o25_aLostPartBecomesAGap(recorded: String, settled: String) {
        let settlement = LiveSettlement(records(recorded), [TrackDescription()])
        #expect(text(settlement) == settled)
        #expect(settlement.records.filter(\.isOutstanding).isEmpty)
        #expect(settlement.notes.isEmpty)
    }

    @Test func aLanguageWithoutASegmentIsLeftOutAndNamed() {
        let tracks = [
            TrackDescription(content: .pictures),
            TrackDescription(content: .sound, language: "deu"),
            TrackDescription(content: .sound, language: "eng"),
            TrackDescription(content: .subtitles, language: "fra"),
        ]
        let recorded =
            records("AB") + records("ab", track: 1) + records("AB", track: 2)
            + records("a", track: 3)
        let settlement = LiveSettlement(recorded, tracks)
        #expect(settlement.tracks.map(\.language) == [nil, "eng", "fra"])
        #expect(text(settlement, track: 1) == "AB")
        #expect(text(settlement, track: 2) == "")
        // The files keep their names.
        #expect(settlement.records.filter { $0.id.track == 1 }.map(\.fileName) == ["2-0", "2-1"])
        #expect(settlement.notes.count == 1)
        #expect(settlement.notes.first?.hasPrefix("Sound was left out: German.") == true)
    }

    @Test func settlingAgainChangesNothing() {
        let once = LiveSettlement(records("IaBiC"), [TrackDescription()])
        let again = LiveSettlement(once.records, once.tracks)
        #expect(again.records.map(\.part) == once.records.map(\.part))
    }
}
