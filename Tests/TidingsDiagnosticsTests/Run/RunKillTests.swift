// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import TidingsDiagnostics

/// The run files of killed processes, in which ten threads write one file each.
@Suite(.timeLimit(.minutes(15)))
struct RunKillTests {
    private static let threads = 10
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    @Test(arguments: 1...8)
    func r7_aKilledRunKeepsAllCompletedRecords(
        _ round: UInt64
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = place.path as String, threads = Self.threads as Int, round = round as UInt64] in
            var random = SeededGenerator(round)
            let writers = try (0..<threads).map { try Writer(in: path, $0) }
            for writer in writers { Thread.detachNewThread { writer.run() } }
            // The limit is a number of records, because a busy machine may spend a time elsewhere.
            let thread = Int.random(in: writers.indices, using: &random)
            let end = UInt64.random(in: 0...2_000, using: &random)
            while writers[thread].count < end { sched_yield() }
            kill(getpid(), SIGKILL)
        }
        let random = SeededGenerator(round)
        for thread in 0..<Self.threads { try check(thread, "\(random)") }
    }

    private func check(_ thread: Int, _ random: Comment) throws {
        let record = try #require(RunRecord.read("\(place.path)/live-\(thread)"))
        let done = Array(try Data(contentsOf: URL(filePath: "\(place.path)/done-\(thread)")))
        var reader = ByteReader(done)
        let notes = reader.numbers(UInt64.self)
        let (count, events, scopes) = (notes[0], notes[1], notes[2])
        // The last record of each kind may be present although `append` had not returned.
        let last = record.breadcrumbs.last?.sequence ?? 0
        #expect(last == count || last == count + 1, random)
        #expect(record.breadcrumbs.count == Int(min(last, 100)), random)
        for (index, entry) in record.breadcrumbs.reversed().enumerated() {
            #expect(entry.sequence == last - UInt64(index), random)
            #expect(entry.breadcrumb == Writer.breadcrumb(entry.sequence), random)
        }
        var wanted = (events - min(events, Writer.pending)..<events).map { Writer.event($0 + 1) }
        if wanted.count == Writer.pending, record.events.first != wanted[0] {
            // The oldest event was about to be removed after its report.
            wanted.removeFirst()
        }
        #expect(record.events.starts(with: wanted), random)
        #expect(record.events.count <= wanted.count + 1, random)
        let scope = record.scope ?? []
        #expect([scopes, scopes + 1].map(Writer.scope).contains(scope), random)
        #expect(record.lostEvents == 0, random)
    }
}

/// Writes as fast as possible and keeps the number of completed records.
///
/// The number is in memory that survives the process.
private final class Writer: Sendable {
    /// The number of pending events.
    static let pending: UInt64 = 50

    private let file: RunFile
    private let done: Lock<RunMemory>

    init(in path: String, _ thread: Int) throws {
        file = RunFile(at: "\(path)/live-\(thread)")
        done = Lock(try RunMemory(at: "\(path)/done-\(thread)", count: 64))
        try #require(file.isOnDisk)
    }

    /// The number of breadcrumbs so far.
    var count: UInt64 { done.withLock { $0.load(at: 0) } }

    static func breadcrumb(_ number: UInt64) -> Breadcrumb {
        .numbered(Int(number), text: String(repeating: "x", count: Int(number * 37 % 900)))
    }

    static func event(_ number: UInt64) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number), count: Int(number * 7 % 3_000) + 1)
    }

    static func scope(_ number: UInt64) -> [UInt8] {
        number == 0 ? [] : Array(repeating: UInt8(truncatingIfNeeded: number), count: 5_000)
    }

    func run() {
        var pendingEvents: [PendingEvent] = []
        var number: UInt64 = 0
        while true {
            number += 1
            file.append(Self.breadcrumb(number))
            note(number, at: 0)
            if pendingEvents.count == Self.pending { file.finish(pendingEvents.removeFirst()) }
            if let pendingEvent = file.append(event: Self.event(number)) {
                pendingEvents.append(pendingEvent)
            }
            note(number, at: 8)
            file.setScope(Self.scope(number))
            note(number, at: 16)
        }
    }

    private func note(_ number: UInt64, at offset: Int) {
        done.withLock { $0.store(number, at: offset) }
    }
}
