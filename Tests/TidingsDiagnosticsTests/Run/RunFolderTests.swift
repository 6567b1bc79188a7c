// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles
import TidingsLock

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RunFolderTests {
    private let place: TemporaryFolder
    private var directory: String { place.path + "/reports" }
    private var runs: String { directory + "/runs" }

    init() throws {
        place = try TemporaryFolder()
    }

    private static func metadata(_ started: TimeInterval = 1_000) -> RunMetadata {
        .current(
            application: "films",
            release: "films@1",
            started: Date(timeIntervalSince1970: started)
        )
    }

    private func make(_ started: TimeInterval = 1_000) throws -> RunFolder {
        try RunFolder.create(in: directory, metadata: Self.metadata(started))
    }

    /// Creates a run whose process has ended and returns its path.
    private func makeEnded(_ started: TimeInterval = 1_000) throws -> String {
        let folder = try make(started)
        folder.release()
        return folder.path
    }

    private func rights(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: runs).sorted()
    }

    @Test func onlyTheOwnerCanReadARun() throws {
        let folder = try make()
        let file = RunFile(at: folder.livePath)
        #expect(file.isOnDisk)
        for path in [directory, runs, folder.path] { #expect(try rights(path) == 0o700) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["live", "lock", "run.json"])
        for name in names { #expect(try rights("\(folder.path)/\(name)") == 0o600) }
        #expect(chmod(runs, 0o755) == 0)
        _ = try make()
        #expect(try rights(runs) == 0o700)
    }

    @Test func r10_theMetadataIsThatOfTheStartedRun() throws {
        let metadata = RunMetadata.current(
            application: "films",
            release: "films@1",
            environment: "test",
            started: Date(timeIntervalSince1970: 5.5)
        )
        try RunFolder.create(in: directory, metadata: metadata).release()
        let taken = try #require(RunFolder.acquireEnded(in: directory).first)
        #expect(taken.metadata() == metadata)
        #expect(metadata.process == getpid() && metadata.executable?.hasPrefix("/") == true)
        #expect(metadata.bootID?.isEmpty == false && !(metadata.machine["kernel"] ?? "").isEmpty)
        #expect(["x86_64", "aarch64"].contains(metadata.machine["architecture"]))
        #expect(!(metadata.machine["system"] ?? "").contains("\""))
    }

    @Test func r9_aDamagedByteOfTheMetadataCostsNothing() throws {
        let folder = try make()
        let path = folder.path + "/run.json"
        let whole = try Data(contentsOf: URL(filePath: path))
        let metadata = folder.metadata()
        #expect(metadata.application == Self.metadata().application)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1
            try damaged.write(to: URL(filePath: path))
            #expect(folder.metadata() == metadata)
        }
    }

    @Test func r9_unreadableMetadataAreReplacedByTheName() throws {
        let folder = try make()
        let path = folder.path + "/run.json"
        let whole = try Data(contentsOf: URL(filePath: path))
        func isUnknown() -> Bool { folder.metadata().release == RunMetadata.unknownName }
        for content in [Data(), whole.prefix(1), whole + Data(repeating: 0x20, count: 100_000)] {
            try content.write(to: URL(filePath: path))
            #expect(isUnknown())
        }
        #expect(folder.metadata().process == getpid())
        #expect(folder.metadata().session == folder.metadata().session)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: place.path + "/elsewhere"
        )
        try whole.write(to: URL(filePath: place.path + "/elsewhere"))
        #expect(isUnknown())
    }

    @Test func r9_aContinuingRunIsNeverAcquired() throws {
        let folder = try make()
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        folder.release()
        #expect(RunFolder.acquireEnded(in: directory, except: folder).isEmpty)
        #expect(RunFolder.acquireEnded(in: directory).map(\.path) == [folder.path])
    }

    @Test func r9_endedRunsAreAcquiredOnceNewestAndThenOldest() throws {
        let paths = try [20, 10, 30.5].map { try makeEnded($0) }
        let taken = RunFolder.acquireEnded(in: directory, limit: 2)
        #expect(taken.map(\.path) == [paths[1], paths[2]])
        let rest = RunFolder.acquireEnded(in: directory)
        #expect(rest.map(\.path) == [paths[0]])
        taken[0].release()
        #expect(taken[1].remove())
        #expect(RunFolder.acquireEnded(in: directory).map(\.path) == [paths[1]])
        #expect(try names().count == 2)
        withExtendedLifetime(rest) {}
    }

    @Test func r9_anUnfinishedRunIsNotAcquired() throws {
        let hidden = runs + "/.new-00000000001000-7-0123abcd"
        try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        #expect(try names().count == 1)
        let long = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -7_200)]
        do {
            let lock = try FileLock.create(hidden + "/lock")
            try FileManager.default.setAttributes(long, ofItemAtPath: hidden)
            #expect(RunFolder.acquireEnded(in: directory).isEmpty)
            #expect(try names().count == 1)
            withExtendedLifetime(lock) {}
        }
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        #expect(try names().isEmpty)
    }

    @Test func r9_aRunGetsItsNameOnlyWhenItIsComplete() throws {
        var seen: [String] = []
        let folder = try RunFolder.create(in: directory, metadata: Self.metadata()) {
            seen = SystemFile.names(in: runs)
            #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        }
        #expect(seen == [".new-" + folder.path.dropFirst(runs.count + 1)])
        #expect(folder.metadata().application == Self.metadata().application)
    }

    @Test func r9_aRunRemovedDuringItsAcquisitionIsNotAcquired() throws {
        for isReplaced in [false, true] {
            let path = try makeEnded()
            let mine = try #require(RunFolder.acquireEnded(in: directory).first)
            let theirs = FileLock.tryAcquire(existing: path + "/lock", owner: geteuid()) {
                #expect(mine.remove())
                guard isReplaced else { return }
                #expect(mkdir(path, 0o700) == 0)
                #expect((try? FileLock.create(path + "/lock")) != nil)
            }
            #expect(theirs == nil)
            _ = RunFolder.acquireEnded(in: directory).map { $0.remove() }
        }
    }

    @Test func r9_aRunIsNotAcquiredWhileItIsCreatedOrRemoved() async throws {
        try make().remove()
        let flag = Flag()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { flag.isRaised = true }
                let metadata = Self.metadata()
                for _ in 0..<300 {
                    let folder = try RunFolder.create(in: directory, metadata: metadata)
                    #expect(folder.remove())
                }
            }
            group.addTask {
                while !flag.isRaised {
                    #expect(RunFolder.acquireEnded(in: directory).isEmpty)
                }
            }
            try await group.waitForAll()
        }
        #expect(try names().isEmpty)
    }

    @Test func theLeftoversOfARemovedRunAreDeleted() throws {
        let old = runs + "/.old-00000000001000-7-0123abcd"
        try FileManager.default.createDirectory(
            atPath: old + "/deep",
            withIntermediateDirectories: true
        )
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        #expect(try names().isEmpty)
    }

    @Test func removingARunDeletesNothingElse() throws {
        let folder = try make()
        let outside = place.path + "/outside"
        try FileManager.default.createDirectory(
            atPath: outside + "/deep",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link",
            withDestinationPath: outside
        )
        #expect(folder.remove())
        #expect(try names().isEmpty)
        #expect(FileManager.default.fileExists(atPath: outside + "/deep"))
        #expect(folder.remove())
    }

    @Test func otherItemsAreNeitherAcquiredNorChanged() throws {
        let ended = try makeEnded()
        let outside = place.path + "/outside"
        try FileManager.default.moveItem(atPath: ended, toPath: outside)
        let manager = FileManager.default
        let name = "/00000000001000-7-0123abc"
        // The items are links to a run and to a lock, and other items in place of a lock.
        try manager.createSymbolicLink(atPath: runs + name + "0", withDestinationPath: outside)
        for number in 1...4 {
            try manager.createDirectory(
                atPath: runs + name + "\(number)",
                withIntermediateDirectories: true
            )
        }
        try manager.createSymbolicLink(
            atPath: runs + name + "1/lock",
            withDestinationPath: outside + "/lock"
        )
        #expect(mkfifo(runs + name + "2/lock", 0o600) == 0)
        try manager.createDirectory(
            atPath: runs + name + "3/lock",
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(filePath: runs + name + "5"))
        try Data().write(to: URL(filePath: runs + "/notes"))
        for foreign in ["/mine", "/.hidden", "/.new-mine", "/.old-mine"] {
            try manager.copyItem(atPath: outside, toPath: runs + foreign)
        }
        let before = try names()
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        #expect(try names() == before)
        #expect(manager.fileExists(atPath: outside + "/lock"))
    }

    @Test func runsOfAnotherUserAreNotAcquired() throws {
        let path = try makeEnded()
        #expect(RunFolder.acquireEnded(in: directory, owner: geteuid() + 1).isEmpty)
        #expect(FileLock.tryAcquire(existing: path + "/lock", owner: geteuid() + 1) == nil)
        #expect(RunFolder.acquireEnded(in: directory).count == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a folder away."))
    func noRunIsCreatedInAFolderOfAnotherUser() throws {
        _ = try makeEnded()
        #expect(chown(runs, 1, 1) == 0)
        #expect(throws: SystemError.self) { try make() }
        #expect(RunFolder.acquireEnded(in: directory).isEmpty)
        #expect(try names().count == 1)
    }

    @Test func aLinkInThePlaceOfTheRunsIsNotFollowed() throws {
        _ = try makeEnded()
        let other = place.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: other + "/runs",
            withDestinationPath: runs
        )
        #expect(RunFolder.acquireEnded(in: other).isEmpty)
        #expect(throws: SystemError.self) {
            try RunFolder.create(in: other, metadata: Self.metadata())
        }
        #expect(try names().count == 1)
    }

    @Test func r9_anInterruptedAttemptOfAnUncapturedProcessCountsOneEighth() throws {
        let path = try makeEnded()
        let folder = try #require(RunFolder.acquireEnded(in: directory).first)
        // An attempt without an end belongs to a process that was killed.
        let failed = (0..<17).map { _ in ReadingAttempt(folder, isWatched: false).failedBefore }
        #expect(failed == Array(repeating: 0, count: 8) + Array(repeating: 1, count: 8) + [2])
        for _ in 0..<20 {
            let attempt = ReadingAttempt(folder, isWatched: false)
            attempt.end()
            attempt.end()
            #expect(attempt.failedBefore == 2)
        }
        try FileManager.default.removeItem(atPath: path + "/attempts")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/attempts",
            withDestinationPath: place.path + "/elsewhere"
        )
        #expect(ReadingAttempt(folder, isWatched: false).failedBefore == 0)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/elsewhere"))
    }

    @Test(arguments: [
        ("00000000001000-7-0123abcd", true), ("99999999999999-1234567890-ffffffff", true),
        ("0000000001000-7-0123abcd", false), ("00000000001000-7-0123abcg", false),
        ("00000000001000--0123abcd", false), ("00000000001000-7-0123ABCD", false),
        ("00000000001000-7-0123abcd-1", false), ("", false), ("../00000000001-7-0123abcd", false),
    ])
    func aRunIsRecognizedByItsName(_ name: String, _ isOne: Bool) {
        #expect(RunName.isValid(name) == isOne)
    }

    @Test(arguments: [-5, 0, 1.5e9, 1e300])
    func everyGeneratedNameIsValid(_ seconds: TimeInterval) {
        let metadata = Self.metadata(seconds)
        #expect(RunName.isValid(RunName.make(metadata)))
    }
}

/// A flag that one task sets and another task polls.
private final class Flag: Sendable {
    private let state = Lock(false)

    var isRaised: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
