// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures

@testable import TidingsUserNotifications

/// Concurrent and killed processes with one store.
@Suite(.timeLimit(.minutes(15)))
struct ProcessTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var strangeFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state"))
        return (names ?? []).filter { !["n.json", "n.json.lock"].contains($0) }
    }

    /// Returns a center of this process, with the system's clock by default.
    static func center(
        _ path: String,
        _ backend: some NotificationBackend = UserNotificationInMemoryBackend(),
        clock: some NotificationClock = .system
    ) -> UserNotificationCenter {
        UserNotificationCenter(
            application: .init(id: "org.example.Process", name: "Process"),
            backend: backend,
            messages: MessageCenter(),
            store: FileNotificationStore(path: path, lockLimit: .seconds(600)),
            clock: clock
        ) { _ in .granted }
    }

    @Test func n4_twoProcessesListOneNotificationPerIdentifier() async throws {
        try await folder.store.update { $0.authorization = .granted }
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<2 {
                group.addTask { [path = folder.storePath] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, process = process as Int] in
                        try await ProcessTests.post(path, process)
                    }
                }
            }
        }
        let record = try await folder.store.read()
        #expect(record.delivered.map(\.notification.identifier) == ["now"])
        #expect(record.schedule.items.map(\.request.identifier) == ["later"])
        // The last write wins, whichever process wrote last.
        let last = try #require(record.delivered.first?.notification.content.title)
        #expect(last.hasSuffix(" 60"))
        #expect(strangeFiles.isEmpty)
    }

    private static func post(_ path: String, _ process: Int) async throws {
        let center = center(path)
        for number in 1...60 {
            let title = "\(process) \(number)"
            let later = request("later", .after(.seconds(999)), title: title)
            async let waiting = center.add(later)
            let outcome = await (try center.add(request("now", title: title))).outcome
            // A busy machine may exceed the limit. The notification is listed nevertheless.
            if outcome != .accepted(), outcome != .timedOut { exit(2) }
            await center.flush()
            _ = try await waiting
            let record = try await FileNotificationStore(path: path, lockLimit: .seconds(600))
                .read()
            if record.delivered.count != 1 || record.schedule.items.count != 1 { exit(3) }
        }
    }

    @Test func n4_aReplacementByAnotherProcessIsKept() async throws {
        // Two stores on one file exclude each other as two processes do.
        let (first, second) = (try await folder.fixture(), try await folder.fixture())
        _ = try await first.add("1", "old")
        await first.center.flush()
        _ = try await second.add("1", "new")
        await second.center.flush()
        first.center.markRead()
        await first.center.flush()
        #expect(
            try await folder.store.read().delivered.map(\.notification.content.title) == ["new"]
        )
        _ = try await first.add("1", "newest")
        await first.center.flush()
        #expect(
            try await folder.store.read().delivered.map(\.notification.content.title) == ["newest"]
        )
    }

    /// A kill at any moment, which loses no accepted request.
    @Test func n11_acceptedRequestsSurviveAKillAtAnyMoment() async throws {
        try await folder.store.update { $0.authorization = .granted }
        for round in 0..<8 as Range<UInt64> {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.storePath as String, round = round as UInt64] in
                try await ProcessTests.addUntilKilled(path, round)
            }
        }
        let random = SeededGenerator(11)
        let accepted = try String(contentsOfFile: "\(folder.storePath)-accepted", encoding: .utf8)
            .split(separator: "\n").compactMap { Int($0) }
        #expect(accepted.count > 8, "\(random)")
        let items = try await folder.store.read().schedule.items
        let titles = Dictionary(
            uniqueKeysWithValues: items.map { ($0.request.identifier, $0.request.content.title) }
        )
        for number in accepted {
            let newest = titles["\(number % 40)"].flatMap { Int($0) } ?? -1
            #expect(newest >= number, "\(random)")
        }
        #expect(strangeFiles.filter { !$0.hasSuffix("-accepted") && $0 != "n.json.part" } == [])
    }

    private static func addUntilKilled(_ path: String, _ round: UInt64) async throws {
        let center = center(path)
        let list = "\(path)-accepted"
        let first =
            ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "")
            .split(separator: "\n").last.flatMap { Int($0) } ?? -1
        let descriptor = open(list, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        for number in (first + 1)... {
            var posted = request("\(number % 40)", .after(.seconds(999)), title: "\(number)")
            // The body is large enough for a kill in the middle of a write.
            posted.content.body = String(repeating: "text ", count: 2_000)
            _ = try await center.add(posted)
            let line = Array("\(number)\n".utf8)
            if write(descriptor, line, line.count) != line.count { exit(2) }
            guard number == first + 1 else { continue }
            Thread.detachNewThread { killWhileWriting(path, round) }
        }
    }

    /// Kills the process at one of the next moments at which the size of a file changes.
    ///
    /// In the first round, the kill is late enough for several accepted requests.
    private static func killWhileWriting(_ path: String, _ round: UInt64) {
        var random = SeededGenerator(11 + round)
        let sizes = {
            [path, "\(path).part"].map { path in
                var status = stat()
                return stat(path, &status) == 0 ? Int(status.st_size) : -1
            }
        }
        let changes = Int.random(in: 1...20, using: &random)
        var (last, left) = (sizes(), round == 0 ? 40 : changes)
        while left > 0 {
            let now = sizes()
            if now != last { left -= 1 }
            last = now
        }
        kill(getpid(), SIGKILL)
    }
}
