// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Real processes with one store, concurrent and killed ones.
@Suite(.timeLimit(.minutes(5)))
struct ProcessTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var strangeFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state"))
        return (names ?? []).filter { !["n.json", "n.json.lock"].contains($0) }
    }

    /// A center of this process, with the system's clock.
    static func center(
        _ path: String,
        _ backend: some NotificationBackend = UserNotificationInMemoryBackend()
    ) -> UserNotificationCenter {
        UserNotificationCenter(
            application: .init(id: "org.example.Process", name: "Process"),
            backend: backend,
            messages: MessageCenter(),
            store: FileNotificationStore(path: path)
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
        // The last write wins, whichever process made it.
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
            if outcome != .accepted() { exit(2) }
            await center.flush()
            _ = try await waiting
            let record = try await FileNotificationStore(path: path).read()
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

    /// Each accepted request is recorded in a file beside the store, before the next one.
    @Test func n11_acceptedRequestsSurviveAKillAtAnyMoment() async throws {
        try await folder.store.update { $0.authorization = .granted }
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.storePath as String] in
                try await ProcessTests.addUntilKilled(path)
            }
        }
        let accepted = try String(contentsOfFile: "\(folder.storePath)-accepted", encoding: .utf8)
            .split(separator: "\n").compactMap { Int($0) }
        #expect(accepted.count > 8)
        let items = try await folder.store.read().schedule.items
        let titles = Dictionary(
            uniqueKeysWithValues: items.map { ($0.request.identifier, $0.request.content.title) }
        )
        for number in accepted {
            let newest = titles["\(number % 40)"].flatMap { Int($0) } ?? -1
            #expect(newest >= number)
        }
        #expect(strangeFiles.filter { !$0.hasSuffix("-accepted") && $0 != "n.json.part" } == [])
    }

    private static func addUntilKilled(_ path: String) async throws {
        let center = center(path)
        let list = "\(path)-accepted"
        let first =
            ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "")
            .split(separator: "\n").last.flatMap { Int($0) } ?? -1
        let descriptor = open(list, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        for number in (first + 1)... {
            var posted = request("\(number % 40)", .after(.seconds(999)), title: "\(number)")
            // Large enough for a kill in the middle of a write.
            posted.content.body = String(repeating: "text ", count: 2_000)
            _ = try await center.add(posted)
            let line = Array("\(number)\n".utf8)
            if write(descriptor, line, line.count) != line.count { exit(2) }
            if number == first + 1 { Thread.detachNewThread { killWhileWriting(path) } }
        }
    }

    /// Kills the process at one of the next moments at which the size of a file changes.
    private static func killWhileWriting(_ path: String) {
        let sizes = {
            [path, "\(path).part"].map { path in
                var status = stat()
                return stat(path, &status) == 0 ? Int(status.st_size) : -1
            }
        }
        var (last, left) = (sizes(), Int.random(in: 1...20))
        while left > 0 {
            let now = sizes()
            if now != last { left -= 1 }
            last = now
        }
        kill(getpid(), SIGKILL)
    }
}
