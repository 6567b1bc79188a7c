// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Copies for notifications that are queued or being shown.
@Suite(.timeLimit(.minutes(15)))
struct AttachmentQueueTests {
    private let folder: TestFolder
    private let gate = Gate()
    private let backend: ScriptedBackend

    init() throws {
        folder = try TestFolder()
        backend = ScriptedBackend(gate: gate)
    }

    @Test func n16_aRequestBeingSentByAnotherProcessKeepsItsCopy() async throws {
        let sender = try await folder.fixture()
        let asked = Gate()
        sender.center.isInFront = true
        sender.center.willPresent = { [gate] _ in
            asked.open()
            try? await gate.wait()
            return .all
        }
        try await sender.post("1", picture: folder.put("picture"), .after(.seconds(5)))
        sender.clock.advance(by: .seconds(5))
        try await asked.wait()
        let other = try await folder.fixture()
        try await other.center.removePending()
        gate.open()
        try await sender.waitForDelivered(1)
        #expect(sender.deliveredFiles.map(folder.text) == ["picture"])
        sender.center.removeAll()
        while !folder.names.isEmpty { await sender.waitForSaves() }
    }

    /// A blocked queue stands for a slow copy.
    @Test func n3_onlyItsOwnNotificationWaitsForACopy() async throws {
        let fixture = try await folder.fixture()
        _ = await (try fixture.post("0", picture: folder.put("old"))).outcome
        await fixture.center.flush()
        let attachmentStore = try #require(fixture.center.attachmentStore)
        let copying = DispatchSemaphore(value: 0)
        let isBusy = Gate()
        let busy = Task {
            await attachmentStore.queue.run {
                isBusy.open()
                copying.wait()
            }
        }
        try await isBusy.wait()
        let receipt = try await fixture.post("1", picture: folder.put("picture"))
        #expect(try await fixture.add("2", "2") == .accepted())
        try await fixture.post("3", .after(.seconds(5)))
        #expect(await fixture.center.pending().map(\.request.identifier) == ["3"])
        fixture.center.removeDelivered(["0"])
        await fixture.center.flush()
        #expect(fixture.deliveredTitles == ["2"] && folder.names.isEmpty)
        copying.signal()
        await busy.value
        #expect(await receipt.outcome == .accepted())
        #expect(fixture.deliveredFiles.map(folder.text) == ["picture"])
    }

    @Test func n16_aRequestShownAfterItsTimeoutHasItsCopy() async throws {
        let fixture = CenterFixture(backend: backend, store: folder.store)
        try await fixture.center.setAuthorization(.granted)
        let first = try await fixture.post("1", "first")
        #expect(try await backend.calls.next().text == "show first")
        try await fixture.post("1", picture: folder.put("picture"), .after(.seconds(5)))
        fixture.clock.advance(by: .seconds(5))
        #expect(await first.outcome == .timedOut)
        // The queued request times out as well, and the record drops the request.
        while try await !folder.store.read().schedule.items.isEmpty {
            fixture.clock.advance(by: .seconds(5))
            await fixture.waitForSaves()
        }
        await fixture.waitForSaves()
        gate.open()
        while fixture.deliveredFiles.isEmpty { _ = try await fixture.changes.next() }
        #expect(fixture.deliveredFiles.map(folder.text) == ["picture"])
    }
}
