// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Copies of attached files, and the removal of these copies.
@Suite(.timeLimit(.minutes(15)))
struct AttachmentTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func n16_aShownNotificationDoesNotNeedTheCallersFile() async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("picture")
        #expect(await (try fixture.post("1", picture: path)).outcome == .accepted())
        try FileManager.default.removeItem(atPath: path)
        let file = try #require(fixture.deliveredFiles.first)
        #expect(fixture.backend.shown.flatMap(\.content.files) == [file])
        #expect(file.hasPrefix(folder.copies + "/") && file.hasSuffix(".png"))
        #expect(folder.text(file) == "picture")
        await fixture.waitForSaves()
        let next = try await folder.fixture()
        await next.waitForSaves()
        #expect(next.deliveredFiles == [file] && folder.text(file) == "picture")
        let files = FileManager.default
        let rights = try [file, folder.copies].map {
            try files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(rights == [0o600, 0o700])
    }

    @Test func n16_aPendingRequestDoesNotNeedTheCallersFile() async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("picture")
        try await fixture.post("1", picture: path, .after(.seconds(5)))
        try FileManager.default.removeItem(atPath: path)
        let file = await fixture.center.pending().flatMap(\.request.content.files).first
        #expect(folder.names.count == 1)
        fixture.clock.advance(by: .seconds(5))
        try await fixture.waitForDelivered(1)
        #expect(fixture.deliveredFiles == [try #require(file)])
        #expect(fixture.deliveredFiles.map(folder.text) == ["picture"])
        await fixture.waitForSaves()
        #expect(folder.names.count == 1)
    }

    @Test func n16_theCallerMayWriteIntoItsFile() async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("before")
        _ = await (try fixture.post("1", picture: path)).outcome
        try await fixture.post("2", picture: path, .after(.seconds(5)))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data("behind".utf8))
        let files = fixture.deliveredFiles + folder.names.map { "\(folder.copies)/\($0)" }
        #expect(Set(files.map(folder.text)) == ["before"])
        #expect(folder.text(path) == "behind")
    }

    /// The ways in which a delivered notification ends.
    enum End: CaseIterable {
        case removed, allRemoved, replaced, dismissed, responded
    }

    @Test(arguments: End.allCases)
    func n16_aCopyIsDeletedWithItsDeliveredNotification(_ end: End) async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("picture")
        _ = await (try fixture.post("stays", picture: path)).outcome
        let kept = fixture.deliveredFiles
        _ = await (try fixture.post("1", picture: path)).outcome
        await fixture.waitForSaves()
        #expect(folder.names.count == 2)
        switch end {
        case .removed: fixture.center.removeDelivered(["1"])
        case .allRemoved: fixture.center.removeDelivered()
        case .replaced: _ = try await fixture.add("1", "new")
        case .dismissed: try fixture.backend.end("1", .dismissed)
        case .responded: try fixture.backend.respond(to: "1")
        }
        await fixture.waitForSaves()
        let left = end == .allRemoved ? [] : kept
        #expect(folder.names.map { "\(folder.copies)/\($0)" } == left)
        #expect(folder.text(path) == "picture")
    }

    @Test func n16_aCopyIsDeletedWithItsPendingRequest() async throws {
        let fixture = try await folder.fixture()
        let path = try folder.put("picture")
        for identifier in ["removed", "taken back", "replaced", "now", "all"] {
            try await fixture.post(identifier, picture: path, .after(.seconds(5)))
        }
        #expect(folder.names.count == 5)
        try await fixture.center.removePending(["removed"])
        #expect(folder.names.count == 4)
        fixture.center.remove(["taken back"])
        await fixture.waitForSaves()
        #expect(folder.names.count == 3)
        try await fixture.post("replaced", .after(.seconds(9)))
        #expect(folder.names.count == 2)
        _ = try await fixture.add("now")
        await fixture.waitForSaves()
        #expect(folder.names.count == 1)
        try await fixture.center.removePending()
        #expect(folder.names.isEmpty)
        #expect(folder.text(path) == "picture")
    }

    @Test func n16_aRepeatingRequestKeepsItsCopy() async throws {
        let fixture = try await folder.fixture()
        try await fixture.post("1", picture: folder.put("a"), .after(.seconds(60), repeats: true))
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(60))
            try await fixture.waitForDelivered(1)
            #expect(fixture.deliveredFiles.map(folder.text) == ["a"])
            fixture.center.removeDelivered(["1"])
            await fixture.waitForSaves()
            #expect(folder.names.count == 1)
        }
        fixture.center.removeAll()
        await fixture.waitForSaves()
        #expect(folder.names.isEmpty)
    }

    @Test func n16_leavingAFullListDeletesTheCopy() async throws {
        let backend = UserNotificationInMemoryBackend()
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Test", name: "Test"),
            backend: backend,
            messages: MessageCenter(),
            store: folder.store,
            limit: 2
        ) { _ in nil }
        try await center.setAuthorization(.granted)
        let path = try folder.put("picture")
        for number in 1...4 {
            let content = UserNotificationContent(
                title: "\(number)",
                picture: .file(path)
            )
            let request = UserNotificationRequest(identifier: "\(number)", content: content)
            _ = await (try center.add(request)).outcome
        }
        _ = await center.pending()
        let listed = center.delivered().flatMap(\.content.files)
        #expect(listed.count == 2)
        #expect(folder.names.map { "\(folder.copies)/\($0)" } == listed.sorted())
    }

    @Test func n16_aReplacementBeforeTheDisplayDeletesTheCopy() async throws {
        let fixture = try await folder.fixture()
        let (asked, answer) = (Gate(), Gate())
        fixture.center.isInFront = true
        fixture.center.willPresent = { notification in
            guard notification.content.title == "1" else { return .all }
            asked.open()
            try? await answer.wait()
            return .all
        }
        let old = try await fixture.post("1", picture: folder.put("old"))
        try await asked.wait()
        // The record does not reference the copy of a queued request.
        await fixture.waitForSaves()
        #expect(folder.names.count == 1)
        let new = try await fixture.post("1", "new")
        answer.open()
        #expect(await old.outcome == .replaced)
        #expect(await new.outcome == .accepted())
        await fixture.waitForSaves()
        #expect(folder.names.isEmpty)
    }

    @Test func n16_aRemovalBeforeTheListingDeletesTheCopy() async throws {
        let store = ScriptedStore(over: folder.store)
        let fixture = CenterFixture(store: store)
        try await fixture.center.setAuthorization(.granted)
        let (asked, answer) = (Gate(), Gate())
        fixture.center.isInFront = true
        fixture.center.willPresent = { _ in
            asked.open()
            try? await answer.wait()
            return .all
        }
        let receipt = try await fixture.post("1", picture: folder.put("old"))
        try await asked.wait()
        #expect(folder.names.count == 1)
        fixture.center.remove(["1"])
        answer.open()
        #expect(await receipt.outcome == .replaced)
        // The five changes are the answer, the start, two scheduler passes because the program came
        // to the foreground, and the removal of unreferenced copies.
        _ = try await store.changes.first(5)
        await fixture.waitForSaves()
        #expect(folder.names.isEmpty)
    }

    @Test func n16_aDeliveredNotificationCanBeRequestedAgain() async throws {
        let fixture = try await folder.fixture()
        _ = await (try fixture.post("1", picture: folder.put("picture"))).outcome
        let content = try #require(fixture.center.delivered().first?.content)
        let again = UserNotificationRequest(
            identifier: "1",
            content: content,
            trigger: .after(.seconds(5))
        )
        _ = try await fixture.center.add(again)
        fixture.center.removeDelivered(["1"])
        await fixture.waitForSaves()
        #expect(folder.names.count == 1)
        fixture.clock.advance(by: .seconds(5))
        try await fixture.waitForDelivered(1)
        #expect(fixture.deliveredFiles.map(folder.text) == ["picture"])
    }

    @Test func n16_aStoreInMemoryNamesTheCallersFile() async throws {
        let fixture = CenterFixture()
        let path = try folder.put("picture")
        _ = await (try fixture.post("1", picture: path)).outcome
        #expect(fixture.deliveredFiles == [path])
    }
}
