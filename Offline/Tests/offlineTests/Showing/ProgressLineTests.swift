// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineMedia
@testable import OfflineModel
@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ProgressLineTests {
    private func item(
        _ state: ItemState,
        _ change: (inout DownloadProgress) -> Void
    ) throws -> ItemRepresentation {
        var progress = DownloadProgress()
        change(&progress)
        let item = MediaItem(
            id: ItemID(rawValue: 1),
            origin: .address(try WebAddress("http://example.org/a")),
            choice: MediaChoice(),
            allowsPrivateAddresses: false,
            hasPicture: false,
            position: 0,
            titleSource: nil,
            fields: ItemFields(title: "a", state: state, createdAt: Date(timeIntervalSince1970: 0))
        )
        return ItemRepresentation(item, progress: progress)
    }

    @Test func o25_aRecordingShowsItsTimeAndNoPercentage() throws {
        let recording = try item(.fetching) {
            $0.receivedBytes = 1_500_000
            $0.doneSegments = 12
            $0.recordedSeconds = 75
        }
        #expect(ProgressLine.text(recording, width: 79) == "Recording 1:15  12 segments, 1.5 MB")
    }

    @Test func o13_aPercentageNeedsAKnownTotal() throws {
        let unknown = try item(.fetching) { $0.receivedBytes = 1_500_000 }
        #expect(ProgressLine.text(unknown, width: 79) == "Fetching 1.5 MB")
        let known = try item(.fetching) {
            $0.receivedBytes = 1_500_000
            $0.totalBytes = 3_000_000
            $0.bytesPerSecond = 500_000
        }
        #expect(
            ProgressLine.text(known, width: 79)
                == "Fetching ████████████░░░░░░░░░░░░ 50 %  1.5 MB of 3.0 MB  500.0 kB/s  0:03 left"
        )
    }

    @Test func aStreamCountsItsSegments() throws {
        let stream = try item(.fetching) {
            $0.doneSegments = 1
            $0.totalSegments = 4
            $0.receivedBytes = 10
        }
        #expect(
            ProgressLine.text(stream, width: 79)
                == "Fetching ██████░░░░░░░░░░░░░░░░░░ 25 %  1 of 4 segments, 10 bytes"
        )
    }

    @Test func theReasonToWaitLosesControlCharacters() throws {
        let waiting = try item(.fetching) { $0.waiting = "wait\u{1B}[2J" }
        #expect(ProgressLine.text(waiting, width: 79) == "wait[2J")
    }

    @Test(arguments: [
        (79, "Fetching ████████████░░░░░░░░░░░░ 50 %  1.5 MB of 3.0 MB  500.0 kB/s  0:03 left"),
        (63, "Fetching ████░░░░ 50 %  1.5 MB of 3.0 MB  500.0 kB/s  0:03 left"),
        (60, "Fetching 50 %  1.5 MB of 3.0 MB  500.0 kB/s  0:03 left"),
        (50, "Fetching 50 %  1.5 MB of 3.0 MB  500.0 kB/s"),
        (41, "Fetching ████░░░░░ 50 %  1.5 MB of 3.0 MB"),
        (10, "Fetching 5"),
    ])
    func aLineFitsIntoItsColumns(width: Int, expected: String) throws {
        let known = try item(.fetching) {
            $0.receivedBytes = 1_500_000
            $0.totalBytes = 3_000_000
            $0.bytesPerSecond = 500_000
        }
        #expect(ProgressLine.text(known, width: width) == expected)
    }
}
