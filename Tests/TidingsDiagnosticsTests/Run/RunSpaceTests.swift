// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures
import TidingsFiles

@testable import TidingsDiagnostics

/// A run on a full disk.
@Suite(.timeLimit(.minutes(15)))
struct RunSpaceTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    /// Writes to all parts of the file.
    private static func writeAllParts(_ sut: RunFile) throws {
        for number in 1...300 { sut.append(.numbered(number, text: longText)) }
        let scope = [UInt8](repeating: 1, count: RunLayout.scopeSlot - RunLayout.scopeHead)
        for _ in 0..<3 { try #require(sut.setScope(scope)) }
        let event = [UInt8](repeating: 2, count: 10_000)
        for _ in 0..<200 { try #require(sut.append(event: event) != nil) }
        let text = try #require(sut.text)
        memset(text, 1, 4 + RunLayout.textSize)
        sut.markClean()
    }

    private static let longText = String(repeating: "x", count: 1_000)

    private func check(_ record: RunRecord?) throws {
        let record = try #require(record)
        #expect(record.breadcrumbs.count == 100 && record.end == .clean)
        #expect(record.scope?.count == RunLayout.scopeSlot - RunLayout.scopeHead)
        #expect(record.events.count + record.lostEvents == 200 && record.events.count > 100)
    }

    @Test func withAFileSizeLimitTheRunContinuesInMemory() async throws {
        await #expect(processExitsWith: .success) { [path = place.path as String] in
            // The system sends this signal for a write beyond the limit.
            signal(SIGXFSZ, SIG_DFL)
            var signals = sigset_t()
            sigaddset(&signals, SIGXFSZ)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let sut = RunFile(at: path + "/live")
            try #require(!sut.isOnDisk && sut.failure?.number == EFBIG)
            try Self.writeAllParts(sut)
        }
        #expect(place.names.isEmpty)
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "Only root can have a small disk."))
    func r6_aFullDiskDoesNotAffectARun() async throws {
        let disk = try SmallDisk(kibibytes: 2_048)
        let path = disk.folder + "/live"
        // A separate process runs this part, because a failure would end it with SIGBUS.
        await #expect(processExitsWith: .success) { [path = path as String] in
            let sut = RunFile(at: path)
            try #require(sut.isOnDisk)
            let filler = open(path + "-filler", O_WRONLY | O_CREAT, 0o600)
            let block = [UInt8](repeating: 1, count: 4_096)
            // The limit is the size of the small disk, in case the path is on another disk.
            var count = 0
            while count < 1_000, write(filler, block, block.count) > 0 { count += 1 }
            try #require(count < 1_000 && errno == ENOSPC)
            try Self.writeAllParts(sut)
        }
        try check(RunRecord.read(path))
        // This call keeps the disk mounted until here, after the last use of the path.
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "Only root can have a small disk."))
    func r6_onAFullDiskTheRunContinuesInMemory() async throws {
        let disk = try SmallDisk()
        let path = disk.folder + "/live"
        await #expect(processExitsWith: .success) { [path = path as String] in
            let sut = RunFile(at: path)
            try #require(!sut.isOnDisk && sut.failure?.number == ENOSPC)
            try Self.writeAllParts(sut)
            try #require(access(path, F_OK) != 0)
        }
        #expect(throws: SystemError.self) {
            try disk.fill(leaving: 0)
            _ = try RunFolder.create(
                in: disk.path,
                metadata: .current(application: "a", release: "b")
            )
        }
        #expect(SystemFile.names(in: disk.path + "/runs").isEmpty)
        withExtendedLifetime(disk) {}
    }
    #endif
}
