// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RunRecordTests {
    private let fixture: RunFileFixture
    /// The file with twelve breadcrumbs, three events and two scopes.
    private let bytes: [UInt8]
    private let whole: RunRecord
    private static let events = (1...3).map { [UInt8](repeating: UInt8($0), count: $0 * 50) }

    init() throws {
        fixture = try RunFileFixture()
        let file = RunFile(at: fixture.path)
        for number in 1...12 { file.append(.numbered(number)) }
        for event in Self.events { file.append(event: event) }
        file.setScope([1, 2, 3])
        file.setScope([4, 5, 6])
        bytes = try fixture.bytes
        whole = try #require(RunRecord(bytes))
    }

    /// Decodes the file with changed bytes.
    private func changed(at offsets: some Sequence<Int>) -> RunRecord? {
        var bytes = bytes
        for offset in offsets { bytes[offset] ^= 0x40 }
        return RunRecord(bytes)
    }

    @Test func r8_aBreadcrumbChangedAnywhereIsMissingAloneAndAllOthersStay() throws {
        let (slot, head) = (RunLayout.breadcrumb(5), RunLayout.breadcrumbHead)
        let size = head + whole.breadcrumbs[4].breadcrumb.bytes
        for offset in slot..<(slot + size) {
            let record = try #require(changed(at: [offset]))
            #expect(record.breadcrumbs == whole.breadcrumbs.filter { $0.sequence != 5 })
            #expect(record.events == whole.events && record.scope == whole.scope)
        }
        #expect(changed(at: [slot + size]) == whole)
    }

    @Test func r8_anEventChangedAnywhereIsMissingAloneAndAllOthersStay() throws {
        let start = RunLayout.events + RunLayout.blocks(50) * RunLayout.block
        for offset in start..<(start + RunLayout.eventHead + 100) {
            let record = try #require(changed(at: [offset]))
            #expect(record.events == [Self.events[0], Self.events[2]])
            #expect(record.breadcrumbs == whole.breadcrumbs && record.scope == whole.scope)
        }
    }

    @Test func r8_aScopeChangedAnywhereGivesThePreviousOne() throws {
        let slot = RunLayout.scope(2)
        for offset in slot..<(slot + RunLayout.scopeHead + 3) {
            let record = try #require(changed(at: [offset]))
            #expect(record.scope == [1, 2, 3])
            #expect(record.events == whole.events && record.breadcrumbs == whole.breadcrumbs)
        }
    }

    @Test func r8_aHeaderChangedAnywhereHidesOnlyItself() throws {
        for offset in 0..<64 {
            let record = try #require(changed(at: [offset]))
            #expect(record.breadcrumbs == whole.breadcrumbs && record.events == whole.events)
            #expect(record.lostEvents == 0 && record.end == .running)
        }
        #expect(changed(at: [0, RunLayout.secondHead]) == nil)
    }

    @Test func r8_aTruncatedFileKeepsTheRecordsBeforeTheCut() throws {
        let edges = [
            RunLayout.scopes, RunLayout.breadcrumbs, RunLayout.text, RunLayout.events,
            RunLayout.secondHead, RunLayout.size,
        ]
        let lengths =
            edges.flatMap { ($0 - 40)...$0 }
            + (1...12).map { RunLayout.breadcrumb(UInt64($0)) + 52 }
            + Array(stride(from: 0, through: RunLayout.size, by: 9_973)) + (0..<64)
            + (RunLayout.events..<(RunLayout.events + 400))
        for length in Set(lengths) {
            let record = RunRecord(bytes.prefix(length))
            #expect((record == nil) == (length < RunLayout.headChecksum + 8))
            guard let record else { continue }
            let breadcrumbs = whole.breadcrumbs.filter {
                RunLayout.breadcrumb($0.sequence) + 32 + $0.breadcrumb.bytes <= length
            }
            #expect(record.breadcrumbs == breadcrumbs)
            #expect(whole.events.starts(with: record.events))
            if length >= RunLayout.events + 600 { #expect(record.events == whole.events) }
            if length >= RunLayout.breadcrumbs { #expect(record.scope == [4, 5, 6]) }
        }
    }

    @Test func r8_anEventThatWasBeingWrittenHidesNoOther() throws {
        // The loop simulates the end of the process between two statements of the writer.
        let file = RunFile(at: fixture.path + "2")
        let pendingEvents = Self.events.compactMap { file.append(event: $0) }
        file.finish(pendingEvents[1])
        var bytes = Array(try Data(contentsOf: URL(filePath: fixture.path + "2")))
        let start = RunLayout.events + RunLayout.blocks(50) * RunLayout.block
        for count in 8..<(RunLayout.eventHead + 100) {
            bytes[start + count] = UInt8(truncatingIfNeeded: count)
            #expect(RunRecord(bytes)?.events == [Self.events[0], Self.events[2]])
        }
    }

    @Test func r8_recordedContentIsNotTakenForARecord() throws {
        // The event contains the blocks of a file with an event.
        let file = RunFile(at: fixture.path + "2")
        let log = bytes[RunLayout.events..<(RunLayout.events + 1_024)]
        let pendingEvent = try #require(file.append(event: Array(repeating: 0, count: 32) + log))
        file.finish(pendingEvent)
        #expect(RunRecord.read(fixture.path + "2")?.events == [])
    }

    @Test func r8_readingArbitraryBytesFinishes() {
        var random = SeededGenerator(8)
        for round in 0..<300 {
            var noisy = bytes
            for _ in 0..<(1 << (round % 9)) {
                let area =
                    [0, RunLayout.scopes, RunLayout.breadcrumbs, RunLayout.events]
                    .randomElement(using: &random) ?? 0
                let offset =
                    area + Int.random(in: 0..<(round % 2 == 0 ? 128 : 2_048), using: &random)
                noisy[offset] = .random(in: 0...255, using: &random)
            }
            let length = Int.random(in: 0...noisy.count, using: &random)
            let record = RunRecord(round % 3 == 0 ? noisy.prefix(length) : noisy[...])
            let isLimited = record.map { $0.breadcrumbs.count <= 12 && $0.events.count <= 3 }
            #expect(isLimited != false, "\(random)")
        }
        for count in [0, 1, 100, RunLayout.size, RunLayout.size + 1] {
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(RunRecord(noise) == nil, "\(random)")
        }
    }

    /// Returns the file of the run in the earlier format, without an end.
    private func earlierBytes() throws -> [UInt8] {
        // The breadcrumbs of this format ended here, because each had 1,536 bytes.
        let text = 323_584
        #expect(RunLayout.text - RunLayout.earlierShift == text)
        var earlier = Array(bytes[..<text] + bytes[RunLayout.text...])
        let heads = [0, RunLayout.secondHead - RunLayout.earlierShift]
        let key = bytes[8..<16].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let magic = RunLayout.earlierMagic
        for head in heads {
            let words = [magic, key, RunChecksum.of(magic: magic, key: key)]
            let head = head..<(head + 24)
            earlier.replaceSubrange(head, with: words.flatMap(Self.littleEndian))
        }
        let slots = RunLayout.breadcrumbs..<text
        earlier.replaceSubrange(slots, with: repeatElement(0, count: slots.count))
        for (number, place) in [(1, "A/B.swift:1"), (2, nil), (3, "")] {
            let content = Array("message \(number)".utf8)
            let location = place.map { UInt32($0.utf8.count) } ?? UInt32(UInt16.max)
            let date = TimeInterval(number).bitPattern
            var record = Self.littleEndian(UInt64(number)) + Self.littleEndian(date)
            record += Self.littleEndian(UInt16(number % 2 == 0 ? 2 : 1))
            record += Self.littleEndian(UInt16(content.count)) + Self.littleEndian(location)
            record += content + Array((place ?? "").utf8)
            let checksum = Self.littleEndian(RunChecksum.of(record[...], key: key))
            let slot = RunLayout.breadcrumbs + number * 1_536
            earlier.replaceSubrange(slot..<(slot + 8 + record.count), with: checksum + record)
        }
        earlier[RunLayout.endMark] = 0
        return earlier
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    @Test func r7_aKilledRunOfTheEarlierFormatHasItsScopeEventsAndBreadcrumbs() throws {
        var earlier = try earlierBytes()
        let record = try #require(RunRecord(earlier))
        #expect(record.end == .running)
        let end = PreviousRun(RunCrashes([], lastActivity: nil), end: record.end)
        #expect(end == .endedWithoutNotice)
        #expect(record.events == whole.events && record.scope == [4, 5, 6])
        let crumbs = record.breadcrumbs.map(\.breadcrumb)
        #expect(crumbs.map(\.text) == ["message 1", "message 2", "message 3"])
        #expect(crumbs.map(\.category) == ["log", "message", "log"])
        #expect(crumbs.map(\.location) == ["A/B.swift:1", nil, ""])
        #expect(crumbs.map(\.date.timeIntervalSinceReferenceDate) == [1, 2, 3])
        // A torn breadcrumb is skipped, and the second header stands in for the first.
        earlier[RunLayout.breadcrumbs + 2 * 1_536 + 40] ^= 1
        earlier[0] ^= 0x40
        let torn = try #require(RunRecord(earlier))
        #expect(torn.breadcrumbs.map(\.sequence) == [1, 3] && torn.events == whole.events)
        earlier[RunLayout.endMark] = 1
        #expect(RunRecord(earlier)?.end == .clean)
    }

    @Test func onlyRunFilesAreRead() throws {
        let link = fixture.folder.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: fixture.path
        )
        #expect(RunRecord.read(link) == nil)
        #expect(RunRecord.read(fixture.folder.path) == nil)
        #expect(RunRecord.read("/dev/zero") == nil)
        #expect(RunRecord.read(fixture.folder.path + "/nothing") == nil)
        let huge = fixture.folder.path + "/huge"
        try Data().write(to: URL(filePath: huge))
        #expect(truncate(huge, 1 << 40) == 0)
        #expect(RunRecord.read(huge) == nil)
        let pipe = fixture.folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(RunRecord.read(pipe) == nil)
    }
}

extension Breadcrumb {
    /// The number of bytes behind the head, with one integer as data.
    fileprivate var bytes: Int {
        let data = data.keys.reduce(2) { $0 + 2 + $1.utf8.count + 9 }
        return text.utf8.count + (location?.utf8.count ?? 0) + category.utf8.count + data
    }
}
