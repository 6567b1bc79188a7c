// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsSQLite

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct OutboxTests {
    private let folder = TemporaryFolder()

    private func storage(
        _ durability: BridgeDurability = .process,
        _ limits: StorageLimits = StorageLimits()
    ) throws -> BridgeStorage {
        try BridgeStorage(folder: folder.path, durability: durability, limits: limits)
    }

    private func draft(_ text: String, foreignID: String? = nil) -> OutboxDraft {
        OutboxDraft(
            subject: "shop.a._",
            headers: ["Tidings-Type": "a"],
            body: Array(text.utf8),
            foreignID: foreignID
        )
    }

    private func texts(_ storage: BridgeStorage) throws -> [String] {
        try storage.rows(after: 0, limit: 1_000, bytes: .max).map {
            String(decoding: $0.frame.body, as: UTF8.self)
        }
    }

    @Test(arguments: [BridgeDurability.process, .power])
    func b2_aCommittedRowIsThereAfterReopening(durability: BridgeDurability) throws {
        let first = try storage(durability)
        let rows = try first.append([draft("one"), draft("two")])
        first.close()
        let second = try storage(durability)
        #expect(try texts(second) == ["one", "two"])
        #expect(second.origin == first.origin)
        let found = try second.rows(after: rows[0], limit: 9, bytes: .max)
        #expect(found.map(\.frame.headers.id) == ["\(first.origin)-\(rows[1])"])
        #expect(second.figures.withLock(\.rows) == 2)
    }

    @Test func aRowNumberIsNeverUsedAgain() throws {
        let first = try storage()
        let row = try first.append([draft("one")])[0]
        try first.remove([row])
        first.close()
        #expect(try storage().append([draft("two")])[0] > row)
    }

    @Test func b2_aPowerCutThatTakesBackRowsReusesNoNumber() throws {
        let first = try storage()
        let row = try first.append([draft("one")])[0]
        // The statements simulate a power cut that takes back commits without a sync.
        try first.use { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM outbox")
            try connection.execute("DELETE FROM sqlite_sequence")
        }
        first.close()
        #expect(try storage().append([draft("two")])[0] > row)
    }

    @Test func b7_aBatchEndsAtARowThatIsTooLargeForIt() throws {
        let storage = try storage()
        let large = draft(String(repeating: "x", count: 5_000))
        let rows = try storage.append([draft("one"), large, draft("two")])
        let first = try storage.rows(after: 0, limit: 9, bytes: 1_000)
        #expect(first.map(\.row) == [rows[0]])
        let second = try storage.rows(after: rows[0], limit: 9, bytes: 1_000)
        #expect(second.map(\.row) == [rows[1]])
    }

    @Test func onlyTheOwnerReadsTheFileInAnOpenFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        let storage = try storage()
        _ = try storage.append([draft("one")])
        for name in ["bridge.sqlite", "bridge.sqlite-wal"] {
            let path = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func closingAnswersTheReceipts() async throws {
        let storage = try storage()
        var draft = draft("one")
        let answer = Answer<Receipt.Acceptance>()
        draft.answer = answer
        _ = try storage.append([draft])
        storage.close()
        let error = await #expect(throws: BridgeError.self) {
            try await Receipt(id: "", answer: answer).accepted()
        }
        #expect(error?.code == .closed)
    }

    @Test func b14_aMessageLargerThanTheQuotaDoesNotWait() async throws {
        let storage = try storage(.process, StorageLimits(outboxBytes: 100))
        let large = draft(String(repeating: "x", count: 200))
        let error = await #expect(throws: BridgeError.self) {
            try await storage.appendWaiting(large, within: .seconds(3_600))
        }
        #expect(error?.code == .full)
        let blocking = #expect(throws: BridgeError.self) {
            try storage.append(large, within: .seconds(3_600))
        }
        #expect(blocking?.code == .full)
    }

    @Test func b14_closingEndsTheWaitForRoom() async throws {
        let size = draft("12345").size
        let storage = try storage(.process, StorageLimits(outboxBytes: size))
        _ = try storage.append([draft("12345")])
        let late = draft("67890")
        let task = Task { try await storage.appendWaiting(late, within: .seconds(3_600)) }
        while storage.roomWaiters.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
        storage.close()
        await #expect(throws: BridgeError.self) { try await task.value }
    }

    @Test func b14_theOldestDeadLettersAreDroppedAndCounted() throws {
        var limits = StorageLimits()
        limits.deadLetters = 2
        let first = try storage(.process, limits)
        for row in try first.append([draft("one"), draft("two"), draft("three")]) {
            try first.bury(row: row, code: .refused, cause: "")
        }
        let bodies = try first.deadLetters().map { String(decoding: $0.frame.body, as: UTF8.self) }
        #expect(bodies == ["two", "three"])
        let figures = first.letterFigures.withLock { $0 }
        #expect(figures.count == 2 && figures.dropped == 1)
        first.close()
        limits.deadLetterBytes = 1
        let second = try storage(.process, limits)
        #expect(second.letterFigures.withLock(\.bytes) == figures.bytes)
        try second.bury(row: try second.append([draft("four")])[0], code: .refused, cause: "")
        #expect(try second.deadLetters().count == 1)
        try second.discard(try second.deadLetters()[0].number)
        #expect(second.letterFigures.withLock { $0 } == DeadLetterFigures(dropped: 2))
    }

    @Test func manyThreadsShareCommitsAndLoseNothing() async throws {
        let storage = try storage(.power)
        let draft = draft("x")
        let rows = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask { try (0..<25).flatMap { _ in try storage.append([draft]) } }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(Set(rows).count == 200)
        #expect(try texts(storage).count == 200)
        #expect(
            storage.figures.withLock { $0 } == OutboxFigures(rows: 200, bytes: 200 * draft.size)
        )
    }

    @Test func b14_theQuotaRefusesAndDrainingMakesRoom() throws {
        let size = draft("12345").size
        let storage = try storage(.process, StorageLimits(outboxBytes: 2 * size))
        let rows = try storage.append([draft("12345"), draft("12345")])
        let error = #expect(throws: BridgeError.self) { try storage.append([draft("12345")]) }
        #expect(error?.code == .full)
        try storage.remove([rows[0]])
        _ = try storage.append([draft("67890")])
        #expect(try texts(storage) == ["12345", "67890"])
    }

    @Test func b14_aFileAtItsLimitOfPagesCanStillBeDrained() throws {
        let storage = try storage(.process, StorageLimits(outboxBytes: 1 << 30))
        try storage.use { connection throws(SQLiteError) in
            try connection.execute("PRAGMA max_page_count = 64")
        }
        let large = draft(String(repeating: "x", count: 20_000))
        var rows: [Int] = []
        let error = #expect(throws: BridgeError.self) {
            while true { rows += try storage.append([large]) }
        }
        #expect(error?.code == .full && !rows.isEmpty)
        #expect(try texts(storage).count == rows.count)
        try storage.remove(rows)
        #expect(storage.figures.withLock { $0 } == OutboxFigures())
        #expect(try storage.append([large]).count == 1)
    }

    /// Appends drafts from one thread each, in order, and commits all drafts together.
    private func appendTogether(
        _ drafts: [OutboxDraft],
        to storage: BridgeStorage
    ) throws -> [Result<[Int], BridgeError>?] {
        let results = Lock([Result<[Int], BridgeError>?](repeating: nil, count: drafts.count))
        let end = DispatchGroup()
        // The first thread waits for the file to commit, and all later threads wait for the first.
        try storage.use { _ throws(SQLiteError) in
            for (index, draft) in drafts.enumerated() {
                let thread = Thread {
                    let result = Result { () throws(BridgeError) in try storage.append([draft]) }
                    results.withLock { $0[index] = result }
                    end.leave()
                }
                end.enter()
                thread.start()
                while storage.waiting.withLock({ $0.tickets.count }) <= index { sched_yield() }
            }
        }
        end.wait()
        return results.withLock { $0 }
    }

    @Test func b1_aRowThatTheFileCannotHoldFailsNoOtherOneOfItsCommit() throws {
        let storage = try storage()
        try storage.use { connection throws(SQLiteError) in
            try connection.execute("PRAGMA max_page_count = 64")
        }
        let large = draft(String(repeating: "x", count: 1_000_000))
        let results = try appendTogether([draft("one"), large, draft("two")], to: storage)
        #expect(results.map { (try? $0?.get())?.count } == [1, nil, 1])
        #expect(try texts(storage) == ["one", "two"])
        let size = 2 * draft("one").size
        #expect(storage.figures.withLock { $0 } == OutboxFigures(rows: 2, bytes: size))
    }

    @Test func b1_aRowThatTheFileCannotHoldTakesNoQuotaFromOthersOfItsCommit() throws {
        let large = draft(String(repeating: "x", count: 1_000_000))
        let storage = try storage(.process, StorageLimits(outboxBytes: large.size))
        try storage.use { connection throws(SQLiteError) in
            try connection.execute("PRAGMA max_page_count = 64")
        }
        let results = try appendTogether([large, draft("one")], to: storage)
        #expect(results.map { (try? $0?.get())?.count } == [nil, 1])
    }

    @Test func b3_aRefusedRowBecomesADeadLetterAndComesBackWithResend() throws {
        let storage = try storage()
        let rows = try storage.append([draft("one"), draft("two")])
        try storage.bury(row: rows[0], code: .refused, cause: "too large")
        #expect(try texts(storage) == ["two"])
        let letter = try #require(try storage.deadLetters().first)
        #expect(letter.direction == .outgoing && letter.code == .refused)
        #expect(letter.cause == "too large" && letter.frame.body == Array("one".utf8))
        try storage.revive(letter.number)
        #expect(try texts(storage) == ["two", "one"])
        #expect(try storage.deadLetters().isEmpty)
        #expect(storage.figures.withLock(\.rows) == 2)
    }

    @Test func discardingRemovesADeadLetterOnce() throws {
        let storage = try storage()
        let row = try storage.append([draft("one")])[0]
        try storage.bury(row: row, code: .refused, cause: "")
        let number = try storage.deadLetters()[0].number
        try storage.discard(number)
        let error = #expect(throws: BridgeError.self) { try storage.discard(number) }
        #expect(error?.code == .notFound)
        #expect(throws: BridgeError.self) { try storage.revive(number) }
    }

    @Test func aSecondOpenerIsRefused() throws {
        let first = try storage()
        let error = #expect(throws: BridgeError.self) { try storage() }
        // The system's list of locks is read in pieces and may miss the holder.
        #expect(error?.code == .inUse && error?.message.contains("in use by") == true)
        first.close()
        _ = try storage()
    }

    @Test func aDamagedFileIsNamed() throws {
        try storage().close()
        let path = folder.path + "/bridge.sqlite"
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: BridgeError.self) { try storage() }
        #expect(error?.code == .storage && error?.message.contains(path) == true)
    }

    @Test func aForwardedIDIsTakenOnce() throws {
        let storage = try storage()
        #expect(try storage.append([draft("a", foreignID: "other-1")]).count == 1)
        #expect(try storage.append([draft("a", foreignID: "other-1")]).isEmpty)
        #expect(try storage.hasSeen("other-1"))
    }

    @Test func theInboxForgetsTheOldestIDs() throws {
        let storage = try storage(.process, StorageLimits(rememberedIDs: 3))
        let cursor = Cursor(stream: "s", incarnation: "1", sequence: 1, id: "")
        for id in 1...5 { try storage.settle("\(id)", of: "a", at: cursor) }
        #expect(
            try (1...5).map { try storage.hasSeen("\($0)") } == [false, false, true, true, true]
        )
    }

    @Test func b8_aFileOfTheFirstVersionIsUpgradedAndCountsTries() throws {
        let first = try storage()
        _ = try first.append([draft("one")])
        try first.use { connection throws(SQLiteError) in
            try connection.execute("DROP TABLE tries")
            try connection.setUserVersion(1)
        }
        first.close()
        let second = try storage()
        try second.countTry(of: "a", isFailure: true)
        try second.countTry(of: "a", isFailure: false)
        second.close()
        let third = try storage()
        #expect(try texts(third) == ["one"])
        #expect(try third.tries(of: "a") == SharedTries(failures: 1, deliveries: 2))
        try third.forgetTries(of: "a")
        #expect(try third.tries(of: "a") == SharedTries())
    }

    @Test func headersSurviveTheirColumn() {
        let headers: FrameHeaders = ["A": "1: 2", "B": "", "C": "a\r\nInjected: yes", "D": "ä"]
        let back = FrameHeaders(lines: headers.withoutLineBreaks.lines)
        #expect(back.fields.map(\.value) == ["1: 2", "", "aInjected: yes", "ä"])
    }
}
