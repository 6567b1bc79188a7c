// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsFiles
import TidingsLock

@testable import TidingsUserNotifications

/// A store whose lock another process holds.
@Suite(.timeLimit(.minutes(15)))
struct LockedStoreTests {
    /// A process that holds a lock until `release`, or until this process ends.
    private struct Holder {
        private static let script = """
            import fcntl, sys
            file = open(sys.argv[1], "a")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("held", flush=True)
            sys.stdin.read()
            """
        private let program: ChildProgram

        var number: Int { Int(program.number) }

        init(_ path: String) throws {
            program = try ChildProgram(["python3", "-c", Self.script, path])
            _ = program.readLine()
        }

        /// Releases the lock and returns after the end of the process.
        func release() {
            program.closeInput()
            program.waitUntilExit()
        }
    }

    /// A time that passes only in the pauses of waiting calls, so that a busy machine adds nothing.
    private final class Waits: Sendable {
        private let total = Lock(Duration.zero)

        var time: LockTime {
            let start = ContinuousClock.now
            return LockTime(
                now: { start + self.total.withLock { $0 } },
                pause: { self.total.withLock { $0 += .milliseconds(1) } }
            )
        }

        /// Returns the total wait of the calls.
        func during(_ body: () async throws -> Void) async -> Duration {
            let before = total.withLock { $0 }
            try? await body()
            return total.withLock { $0 } - before
        }
    }

    private static let limit = Duration.seconds(1)

    private let folder: TestFolder
    private let waits = Waits()

    init() throws {
        folder = try TestFolder()
    }

    private var lockPath: String { "\(folder.storePath).lock" }

    private func fixture() -> CenterFixture {
        CenterFixture(store: FileNotificationStore(path: folder.storePath, lockTime: waits.time))
    }

    @Test func n21_noCallWaitsLongForTheLock() async throws {
        let fixture = self.fixture()
        try await fixture.center.setAuthorization(.granted)
        await fixture.center.started()
        let holder = try Holder(lockPath)
        let center = fixture.center
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await fixture.post("later", .after(.seconds(99))) },
            { _ = try await fixture.post("now") },
            { _ = await center.pending() },
            { center.removeAll() },
            { try await center.removePending() },
            { _ = try await center.authorizationStatus() },
            { try await center.setAuthorization(.granted) },
            { await center.flush() },
        ]
        for call in calls { #expect(await waits.during(call) < Self.limit) }
        // Simultaneous calls do not wait for each other's limits.
        let all = await waits.during {
            await withTaskGroup { group in
                for call in calls { group.addTask { try? await call() } }
            }
        }
        #expect(all < Self.limit)
        holder.release()
        try await fixture.post("later", .after(.seconds(99)))
    }

    @Test func n21_aStartDoesNotWaitLongForTheLock() async throws {
        try await folder.store.update { $0.authorization = .granted }
        let holder = try Holder(lockPath)
        let fixture = self.fixture()
        #expect(
            await waits.during { _ = try await fixture.center.authorizationStatus() } < Self.limit
        )
        #expect(await waits.during { _ = try await fixture.post("now") } < Self.limit)
        try await fixture.waitForDelivered(1)
        holder.release()
        // The first attempt may join a start that the holder has made fail.
        while try await folder.store.read().delivered.isEmpty { await fixture.center.flush() }
    }

    @Test func n21_theHolderIsFoundWhileOtherLocksComeAndGo() throws {
        let file = folder.path + "/lock"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        var status = stat()
        #expect(stat(file, &status) == 0)
        let own = ProcessInfo.processInfo.processIdentifier
        let line = "1: FLOCK  ADVISORY  WRITE \(own) 08:01:\(status.st_ino) 0 EOF\n"
        var lists = ["", "1: -> FLOCK  ADVISORY  WRITE 1 08:01:\(status.st_ino) 0 EOF\n", line]
        #expect(FileLock.holder(of: file) { lists.removeFirst() }?.process == own)
        #expect(lists.isEmpty)
        #expect(FileLock.holder(of: file) { "" } == nil)
    }

    @Test func n21_theHolderIsFoundAmongMoreLocksThanOneReadReturns() throws {
        // One read returns about 70 of the system's locks.
        let paths = (0..<300).map { "\(folder.path)/lock\($0)" }
        let locks = try paths.map { try #require(try FileLock.tryAcquire($0)) }
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(paths.allSatisfy { FileLock.holder(of: $0)?.process == own })
        withExtendedLifetime(locks) {}
    }

    @Test func n21_theErrorNamesTheHolder() async throws {
        let fixture = self.fixture()
        try await fixture.center.setAuthorization(.granted)
        let holder = try Holder(lockPath)
        let error = await #expect(throws: UserNotificationError.self) {
            try await fixture.post("later", .after(.seconds(99)))
        }
        #expect(error?.code == .storeBusy)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("Process \(holder.number) (python3"))
        holder.release()
    }
}
