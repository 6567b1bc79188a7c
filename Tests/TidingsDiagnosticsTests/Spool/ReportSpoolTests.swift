// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsLock

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSpoolTests {
    /// The losses that a spool has passed to `onLoss`.
    private final class LossRecorder: Sendable {
        private let losses = Lock<[ReportLoss]>([])

        func add(_ loss: ReportLoss) { losses.withLock { $0.append(loss) } }

        func count(_ reason: ReportLoss.Reason) -> Int {
            losses.withLock { $0.filter { $0.reason == reason }.reduce(0) { $0 + $1.quantity } }
        }
    }

    private let place: TemporaryFolder
    private let recorder = LossRecorder()
    private let spool: ReportSpool

    init() throws {
        place = try TemporaryFolder()
        let folder = ReportFolder(path: place.path, countLimit: 20, byteLimit: 1 << 20)
        spool = try ReportSpool(
            folder: folder,
            now: { .distantPast },
            onLoss: { [recorder] in recorder.add($0) }
        )
    }

    private func put(_ data: Data, _ name: String) throws {
        try data.write(to: URL(filePath: "\(spool.folder.path)/\(name).report.json"))
    }

    @Test func r11_aReportTornAtAnyByteIsQuarantinedOnceAndHidesNoOther() async throws {
        spool.write(.sample(1))
        let whole = try ReportFormat.encode(Report.sample(2))
        for length in 0..<whole.count {
            try put(whole.prefix(length), "00000000001500-00000001-torn")
            #expect(await spool.reports() == [.sample(1)])
            #expect(spool.folder.names().count == 1)
        }
        #expect(recorder.count(.unreadable) == whole.count)
        #expect(spool.folder.quarantine.names.count == Quarantine.limit)
        #expect(await spool.reports() == [.sample(1)])
        #expect(recorder.count(.unreadable) == whole.count)
    }

    @Test func r16_aReportDeletedWhileItIsWrittenIsCounted() async throws {
        let isDone = Lock(false)
        let folder = spool.folder
        let deletion = Task.detached {
            while !isDone.withLock({ $0 }) { #expect(folder.removeAll() == nil) }
        }
        let lost = (1...200).count { !spool.add(.sample($0)) }
        isDone.withLock { $0 = true }
        await deletion.value
        #expect(recorder.count(.diskFailed) == lost && spool.losses.lost == lost)
    }

    @Test func r11_itemsThatAreNotRegularFilesAreMovedToTheQuarantine() async throws {
        spool.write(.sample(1))
        await spool.flush()
        let file = try #require(spool.folder.names().first?.file)
        for (name, target) in [("6", "/dev/zero"), ("7", "\(spool.folder.path)/\(file)")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(spool.folder.path)/\(name).report.json",
                withDestinationPath: target
            )
        }
        mkfifo("\(spool.folder.path)/8.report.json", 0o600)
        try FileManager.default.createDirectory(
            atPath: "\(spool.folder.path)/9.report.json",
            withIntermediateDirectories: true
        )
        try put(Data(count: ReportFolder.fileLimit + 1), "10")
        #expect(await spool.reports() == [.sample(1)])
        #expect(recorder.count(.unreadable) == 5)
        #expect(spool.folder.names().count == 1)
    }

    @available(macOS 26, iOS 26, *)
    @Test func r14_deletingRemovesEverythingRecordedBeforeAndNothingAfter() async throws {
        try put(Data("{".utf8), "1")
        _ = await spool.reports()
        let hold = DispatchSemaphore(value: 0)
        spool.write {
            hold.wait()
            return nil
        }
        for second in 1...5 { spool.write(.sample(second)) }
        // The task runs on this thread until the first suspension, so the five reports are still
        // waiting for the disk.
        let deletion = Task.immediate { [spool] in try await spool.deleteAll() }
        hold.signal()
        try await deletion.value
        spool.write(.sample(6))
        #expect(await spool.reports() == [.sample(6)])
        #expect(spool.folder.quarantine.names.isEmpty)
    }

    @Test func r15_everyReportIsKeptOrCounted() async throws {
        let ahead = await spool.onQueue { [recorder] spool in
            // The queue is blocked here, so the reports wait.
            let taken = (1...100).map { second in spool.write { .sample(second) } }
            #expect(recorder.count(.queueFull) == 0)
            return taken.count { $0 }
        }
        #expect(ahead == ReportSpool.waitingLimit)
        #expect(
            await spool.reports().map(\.date) == (45...64).reversed().map { Report.sample($0).date }
        )
        #expect(recorder.count(.queueFull) == 100 - ahead)
        #expect(recorder.count(.spoolFull) == ahead - 20)
        #expect(spool.losses.lost == 100 - ahead)
        #expect(spool.losses.removed == ahead - 20)
    }

    @Test func theCallbackReceivesTheOutcome() async throws {
        let results = Lock<[Bool]>([])
        let note: @Sendable (Bool) -> Void = { kept in results.withLock { $0.append(kept) } }
        spool.write(.sample(1), then: note)
        spool.write(then: note) { nil }
        await spool.flush()
        try FileManager.default.removeItem(atPath: spool.folder.path)
        spool.write(.sample(2), then: note)
        await spool.flush()
        #expect(results.withLock { $0 } == [true, true, false])
        #expect(recorder.count(.diskFailed) == 1)
    }

    @Test func r9_theSameCrashIsAddedOnce() async {
        for _ in 1...2 { #expect(spool.add(.sample(1, isCrash: true))) }
        #expect(await spool.reports() == [.sample(1, isCrash: true)])
    }

    @Test func oneReportIsDeleted() async throws {
        for second in 1...3 { spool.write(.sample(second)) }
        #expect(try await spool.remove(Report.sample(2).id))
        #expect(try await !spool.remove(Report.sample(2).id))
        #expect(await spool.reports() == [.sample(3), .sample(1)])
    }
}
