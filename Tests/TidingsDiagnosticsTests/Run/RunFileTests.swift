// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RunFileTests {
    private let fixture: RunFileFixture
    private let sut: RunFile

    init() throws {
        fixture = try RunFileFixture()
        sut = RunFile(at: fixture.path)
    }

    private var record: RunRecord {
        get throws { try #require(RunRecord.read(fixture.path)) }
    }

    @Test func onlyTheOwnerCanReadTheFileAndItsSpaceIsReserved() throws {
        #expect(sut.isOnDisk && sut.failure == nil)
        var status = stat()
        #expect(stat(fixture.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(Int(status.st_size) == RunLayout.size)
        #expect(Int(status.st_blocks) * 512 >= RunLayout.size)
    }

    @Test func aNewFileIsEmpty() throws {
        let record = try record
        #expect(record.end == .running && record.scope == nil && record.text.isEmpty)
        #expect(record.breadcrumbs.isEmpty && record.events.isEmpty && record.lostEvents == 0)
    }

    @Test func r7_aBreadcrumbIsInTheFileWhenAppendReturns() throws {
        let breadcrumbs = [1, 2, 3].map { Breadcrumb.numbered($0) }
        for (index, breadcrumb) in breadcrumbs.enumerated() {
            #expect(sut.append(breadcrumb) == UInt64(index + 1))
            #expect(try record.breadcrumbs.map(\.breadcrumb) == Array(breadcrumbs[...index]))
        }
        #expect(try record.breadcrumbs.map(\.sequence) == [1, 2, 3])
        #expect(try record.breadcrumbs(until: 2) == Array(breadcrumbs[..<2]))
        #expect(sut.breadcrumbs(until: 2) == Array(breadcrumbs[..<2]))
        #expect(sut.lastBreadcrumb == 3)
    }

    @Test func theNewestHundredBreadcrumbsStay() throws {
        for number in 1...250 { sut.append(.numbered(number)) }
        let wanted = (151...250).map { Breadcrumb.numbered($0) }
        #expect(try record.breadcrumbs.map(\.breadcrumb) == wanted)
        #expect(sut.breadcrumbs() == wanted)
    }

    @Test func longTextsAreCutBetweenCharacters() throws {
        let text = String(repeating: "a", count: 1_022) + "€€"
        let location = String(repeating: "b", count: 300)
        let breadcrumb = Breadcrumb(date: Date(), category: "log", text: text, location: location)
        sut.append(breadcrumb)
        sut.append(Breadcrumb(date: Date(), category: "log", text: "", location: nil))
        let kept = try record.breadcrumbs.map(\.breadcrumb)
        #expect(kept[0].text == String(text.prefix(1_022)))
        #expect(kept[0].location == String(location.prefix(256)))
        #expect(kept[1].text.isEmpty && kept[1].location == nil)
    }

    @Test func r7_theValuesOfABreadcrumbAreKeptAsFarAsTheyFit() throws {
        let long = String(repeating: "v", count: 300)
        let data: [String: ReportValue] = [
            "a": .text(long), "b": 7, "c": .text(long), "d": .text(long), "e": true, "f": 0.5,
        ]
        let category = String(repeating: "c", count: 70)
        sut.append(
            Breadcrumb(date: Date(), category: category, level: .fatal, text: "a", data: data)
        )
        sut.append(.numbered(2))
        let kept = try record.breadcrumbs.map(\.breadcrumb)
        #expect(kept[0].category == String(category.prefix(64)) && kept[0].level == .fatal)
        #expect(
            kept[0].data
                == ["a": .text(long), "b": 7, "c": .text(long), "e": true, "f": 0.5]
        )
        #expect(kept[1] == .numbered(2))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func aDateOutsideTheCalendarIsClamped(_ seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        sut.append(Breadcrumb(date: date, category: "log", text: "a", location: nil))
        let kept = try #require(try record.breadcrumbs.first?.breadcrumb.date)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(try style.parse(kept.formatted(style)) == kept)
    }

    @Test func r7_theLastScopeIsKept() throws {
        for number in 1...5 {
            let scope = [UInt8](repeating: UInt8(number), count: number * 1_000)
            #expect(sut.setScope(scope))
            #expect(try record.scope == scope)
        }
        #expect(!sut.setScope([UInt8](repeating: 9, count: RunLayout.scopeSlot)))
        #expect(try record.scope?.first == 5)
        #expect(sut.setScope([]))
        #expect(try record.scope == [])
    }

    @Test func r19_anEventIsInTheFileBeforeAppendReturns() throws {
        let events = (1...20).map { [UInt8](repeating: UInt8($0), count: $0 * 37) }
        for (index, event) in events.enumerated() {
            #expect(sut.append(event: event) != nil)
            #expect(try record.events == Array(events[...index]))
        }
    }

    @Test func anEventIsPendingUntilItIsFinished() throws {
        let pendingEvents = [1, 2, 3].map { sut.append(event: [$0]) }
        let second = try #require(pendingEvents[1])
        #expect(sut.finish(second))
        #expect(!sut.finish(second))
        #expect(try record.events == [[1], [3]])
        let first = try #require(sut.firstEvent())
        #expect(first.pendingEvent == pendingEvents[0] && first.bytes == [1])
        #expect(sut.firstEvent(after: first.pendingEvent)?.bytes == [3])
        #expect(sut.firstEvent(after: pendingEvents[2])?.bytes == nil)
        #expect(sut.lostEvents == 0)
    }

    @Test func r19_inAFullLogTheOldestIsEvictedAndCounted() throws {
        let size = 64 << 10
        for number in UInt8(1)...40 {
            #expect(sut.append(event: [UInt8](repeating: number, count: size)) != nil)
        }
        let left = try record.events.compactMap(\.first)
        #expect(left == Array((41 - UInt8(left.count))...40))
        #expect(left.count == 15)
        #expect(try record.lostEvents == 25)
        #expect(sut.lostEvents == 25)
    }

    @Test func r19_inAFullLogFinishedEventsFreeSpaceFirst() throws {
        let event = [UInt8](repeating: 7, count: 64 << 10)
        let pendingEvents = (1...15).compactMap { _ in sut.append(event: event) }
        sut.finish(pendingEvents[9])
        #expect(sut.append(event: [UInt8](repeating: 8, count: 64 << 10)) != nil)
        #expect(sut.lostEvents == 0)
        #expect(try record.events.compactMap(\.first) == Array(repeating: 7, count: 14) + [8])
        #expect(sut.append(event: event) != nil)
        #expect(sut.lostEvents == 1)
        #expect(!sut.finish(pendingEvents[0]))
    }

    @Test func r19_aFatalEventIsEvictedOnlyForAnotherOne() throws {
        let size = 250 << 10
        for number in UInt8(1)...4 {
            let event = [UInt8](repeating: number, count: size)
            #expect(sut.append(event: event, isFatal: true) != nil)
        }
        #expect(sut.append(event: [UInt8](repeating: 5, count: size)) == nil)
        #expect(sut.append(event: [6]) != nil)
        #expect(sut.append(event: [UInt8](repeating: 7, count: size), isFatal: true) != nil)
        #expect(try record.events.compactMap(\.first) == [2, 3, 4, 7])
        #expect(try record.lostEvents == 3)
    }

    @Test func anEventThatIsTooLargeIsCounted() throws {
        #expect(sut.append(event: [UInt8](repeating: 1, count: RunLayout.eventLimit + 1)) == nil)
        #expect(sut.append(event: [UInt8](repeating: 1, count: RunLayout.eventLimit)) != nil)
        #expect(try record.lostEvents == 1)
        #expect(try record.events.map(\.count) == [RunLayout.eventLimit])
    }

    @Test func r14_discardedRecordsLeaveNoByteAndNumbersContinue() throws {
        let fixture = try RunFileFixture()
        let file = RunFile(at: fixture.path)
        file.setScope(ScopeRecord(user: "42", values: [:]).bytes)
        for number in 1...150 { file.append(.numbered(number, text: "earlier")) }
        let pendingEvent = try #require(file.append(event: Array("earlier".utf8)))
        file.discardRecords()
        let left = try fixture.bytes
        #expect(!String(decoding: left, as: UTF8.self).contains("earlier"))
        #expect(!file.finish(pendingEvent) && file.firstEvent() == nil)
        #expect(file.append(.numbered(2)) == 151)
        #expect(file.append(event: [1]) != pendingEvent)
        let record = try #require(RunRecord.read(fixture.path))
        #expect(record.breadcrumbs.map(\.breadcrumb) == [.numbered(2)])
        #expect(record.events == [[1]])
        #expect(record.scope == ScopeRecord(user: "42", values: [:]).bytes)
    }

    @Test func theLastMarkDeterminesTheEnd() throws {
        sut.markClean()
        #expect(try record.end == .clean)
        sut.markRunning()
        #expect(try record.end == .running)
        let mark = try #require(sut.endMark)
        mark.pointee = 2 | UInt32(SIGTERM) << 8
        #expect(try record.end == .terminated(signal: SIGTERM))
        for nonsense: UInt32 in [2, 2 | 65 << 8, 0x101, 3, .max] {
            mark.pointee = nonsense
            #expect(try record.end == .running)
        }
    }

    @Test(arguments: [0, 5, 16 << 10, 16 << 10 + 3])
    func theTextIsTheForwardersRingBuffer(_ count: Int) throws {
        let text = try #require(sut.text).assumingMemoryBound(to: tidings_crash_text.self)
        #expect(MemoryLayout<tidings_crash_text>.size == 4 + RunLayout.textSize)
        let ring = UnsafeMutableRawPointer(text) + 4
        for index in 0..<count {
            ring.storeBytes(
                of: UInt8(1 + index % 251),
                toByteOffset: index % (16 << 10),
                as: UInt8.self
            )
        }
        text.pointee.count = UInt32(count)
        let wanted = (max(0, count - (16 << 10))..<count).map { UInt8(1 + $0 % 251) }
        #expect(try record.text == wanted)
    }

    @Test func theHandlersMemoryStaysWhenTheFileIsReleased() throws {
        let path = fixture.path + "2"
        var file: RunFile? = RunFile(at: path)
        let (mark, text) = (try #require(file?.endMark), try #require(file?.text))
        file = nil
        mark.pointee = 1
        text.storeBytes(of: 0, as: UInt32.self)
        #expect(RunRecord.read(path)?.end == .clean)
    }

    @Test func withoutAFileEverythingWorksInMemory() throws {
        let taken = RunFile(at: fixture.path)
        #expect(taken.failure?.number == EEXIST && !taken.isOnDisk)
        let unasked = RunFile(at: nil)
        #expect(unasked.failure == nil && !unasked.isOnDisk)
        for sut in [taken, unasked] {
            #expect(sut.append(.numbered(1)) == 1)
            #expect(sut.breadcrumbs() == [.numbered(1)])
            let pendingEvent = try #require(sut.append(event: [1]))
            #expect(sut.firstEvent()?.bytes == [1])
            #expect(sut.finish(pendingEvent) && sut.setScope([1]))
            sut.markClean()
            #expect(sut.endMark?.pointee == 1)
        }
        #expect(try record.end == .running)
    }

    @Test func r19_eightThreadsAppendAtOnceAndNothingIsLost() async throws {
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask { [sut] in
                    for number in 0..<500 {
                        sut.append(.numbered(number, text: "thread \(thread)"))
                        let pendingEvent = sut.append(event: [UInt8(thread), UInt8(number % 256)])
                        if number < 490, let pendingEvent { sut.finish(pendingEvent) }
                        if number % 10 == 0 { sut.setScope([UInt8(thread)]) }
                    }
                }
            }
        }
        let record = try record
        #expect(record.breadcrumbs.map(\.sequence) == Array(3_901...4_000))
        for thread in 0..<8 {
            let numbers = record.breadcrumbs.map(\.breadcrumb)
                .filter { $0.text.hasPrefix("thread \(thread) ") }
                .map(\.date)
            #expect(numbers == numbers.sorted())
            let events = record.events.filter { $0[0] == thread }.map { $0[1] }
            #expect(events == (490..<500).map { UInt8($0 % 256) })
        }
        #expect(record.lostEvents == 0 && record.scope != nil)
    }
}
