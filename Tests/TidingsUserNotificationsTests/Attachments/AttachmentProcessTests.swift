// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsUserNotifications

/// Copies of processes that exit, and of several simultaneous processes.
@Suite(.timeLimit(.minutes(15)))
struct AttachmentProcessTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func n16_theNextStartDeletesTheCopiesOfAKilledProcess() async throws {
        let (path, source) = (folder.storePath, try folder.put("picture"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, source = source as String] in
            let fixture = CenterFixture(
                store: FileNotificationStore(path: path, lockLimit: .seconds(600))
            )
            try await fixture.center.setAuthorization(.granted)
            try await fixture.post("waits", picture: source, .after(.seconds(99)))
            _ = await (try fixture.post("listed", picture: source)).outcome
            await fixture.waitForSaves()
            // This copy belongs to a request that was never stored.
            _ = await fixture.center.attachmentStore?.copies(
                of: [.file(source)],
                isDurable: false
            )
            kill(getpid(), SIGKILL)
        }
        #expect(folder.names.count == 3)
        let strange = "\(folder.copies)/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: strange))
        let fixture = try await folder.fixture()
        let pending = await fixture.center.pending().flatMap(\.request.content.files)
        let files = pending + fixture.deliveredFiles
        #expect(files.count == 2 && files.allSatisfy { folder.text($0) == "picture" })
        #expect(folder.names.map { "\(folder.copies)/\($0)" } == (files + [strange]).sorted())
    }

    @Test func n16_aNewCopyOfALivingRunStays() async throws {
        let first = try await folder.fixture()
        let source = try folder.put("picture")
        let attachmentStore = try #require(first.center.attachmentStore)
        let copies = await attachmentStore.copies(of: [.file(source)], isDurable: false)
        let second = try await folder.fixture()
        await second.waitForSaves()
        #expect(Set(folder.names) == copies.names)
        _ = await (try second.post("1", picture: source)).outcome
        second.center.removeAll()
        await second.waitForSaves()
        #expect(Set(folder.names) == copies.names)
    }

    /// Each round starts a center, as a new run does, and removes all notifications of the center.
    @Test func n16_twoProcessesKeepEachOthersCopies() async throws {
        let source = try folder.put("picture")
        try await folder.store.update { $0.authorization = .granted }
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<2 {
                group.addTask { [path = folder.storePath] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, source = source as String, process = process as Int]
                        in
                        try await AttachmentProcessTests.work(path, source, process)
                    }
                }
            }
        }
        #expect(folder.names.isEmpty)
    }

    private static func work(_ path: String, _ source: String, _ process: Int) async throws {
        for round in 0..<25 {
            let fixture = CenterFixture(
                store: FileNotificationStore(path: path, lockLimit: .seconds(600))
            )
            let waiting = "\(process)-\(round)"
            try await fixture.post(waiting, picture: source, .after(.seconds(99)))
            _ = await (try fixture.post(waiting + "-now", picture: source)).outcome
            await fixture.waitForSaves()
            let pending = await fixture.center.pending().filter { $0.request.identifier == waiting }
            let shown = fixture.center.delivered().filter { $0.identifier == waiting + "-now" }
            let files = pending.flatMap(\.request.content.files) + shown.flatMap(\.content.files)
            let texts = files.map { try? String(contentsOfFile: $0, encoding: .utf8) }
            if texts != ["picture", "picture"] { exit(2) }
            fixture.center.remove([waiting, waiting + "-now"])
            await fixture.waitForSaves()
            // A removal that was kept out by the second process is stored now.
            await fixture.center.flush()
        }
    }
}
