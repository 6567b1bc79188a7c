// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsLock

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSpoolProcessTests {
    private static let countLimit = 15
    private static let each = 10

    @Test(arguments: [2, 10])
    func r9_processesShareOneFolderAndEachReportIsKeptOrCounted(_ count: Int) async throws {
        let place = try TemporaryFolder()
        await withTaskGroup { group in
            for number in 1...count {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = place.path as String, number = number as Int] in
                        try await Self.write(number, path)
                    }
                }
            }
        }
        let spool = try Self.spool(place.path)
        let removed = try (1...count).map { try #require(Int(place.text(of: "\($0).removed"))) }
        let kept = await spool.reports()
        #expect(kept.count == Self.countLimit)
        #expect(Set(kept.map(\.id)).count == kept.count)
        #expect(kept.count + removed.reduce(0, +) == count * Self.each)
        #expect(SystemFile.names(in: spool.folder.path).count == kept.count)
    }

    private static func spool(_ path: String) throws -> ReportSpool {
        let folder = ReportFolder(path: path, countLimit: countLimit, byteLimit: 1 << 20)
        return try ReportSpool(folder: folder)
    }

    private static func write(_ number: Int, _ path: String) async throws {
        let spool = try spool(path)
        for second in 1...each { spool.write(.sample(number * each + second)) }
        await spool.flush()
        guard spool.losses.lost == 0 else { exit(1) }
        let removed = Data("\(spool.losses.removed)".utf8)
        try removed.write(to: URL(filePath: "\(path)/\(number).removed"))
    }

    @Test func r16_aProcessThatIsKilledLeavesWholeReportsOnly() async throws {
        let place = try TemporaryFolder()
        for count in 1...5 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = place.path as String, count = count as Int] in
                let spool = try Self.spool(path)
                let written = Lock(0)
                for second in 1...50 {
                    spool.write(.sample(count * 100 + second)) { _ in
                        let isEnough = written.withLock { number in
                            number += 1
                            return number == count * 3
                        }
                        // Another thread sends the signal, so the next write has started.
                        if isEnough { Thread.detachNewThread { kill(getpid(), SIGKILL) } }
                    }
                }
                await spool.flush()
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        let spool = try Self.spool(place.path)
        let names = spool.folder.names()
        #expect(await spool.reports().count == names.count)
        #expect(!names.isEmpty && spool.losses.lost == 0)
    }
}
