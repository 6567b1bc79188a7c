// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsTesting

@testable import TidingsUserNotifications

/// Copies whose notification is on its way.
@Suite(.timeLimit(.minutes(5)))
struct AttachmentOnItsWayTests {
    private let place: AttachmentPlace
    private let gate = Gate()
    private let backend: ScriptedBackend

    init() throws {
        place = try AttachmentPlace()
        backend = ScriptedBackend(gate: gate)
    }

    @Test func promise16_whatAnotherProcessIsSendingKeepsItsCopy() async throws {
        let sender = try await place.bench()
        let asked = Gate()
        sender.center.isInFront = true
        sender.center.willPresent = { [gate] _ in
            asked.open()
            try? await gate.wait()
            return .all
        }
        try await sender.post("1", picture: place.put("picture"), .after(.seconds(5)))
        sender.clock.advance(by: .seconds(5))
        try await asked.wait()
        let other = try await place.bench()
        try await other.center.removeAllPending()
        gate.open()
        try await sender.waitForDelivered(1)
        #expect(sender.deliveredFiles.map(place.text) == ["picture"])
        sender.center.removeAll()
        while !place.names.isEmpty { await sender.saved() }
    }

    /// A copy that takes its time is played by a queue that has something else to do.
    @Test func promise3_nobodyWaitsForACopyButItsNotification() async throws {
        let bench = try await place.bench()
        _ = await (try bench.post("0", picture: place.put("old"))).outcome
        await bench.center.flush()
        let vault = try #require(bench.center.vault)
        let copying = DispatchSemaphore(value: 0)
        let isBusy = Gate()
        let busy = Task {
            await vault.queue.run {
                isBusy.open()
                copying.wait()
            }
        }
        try await isBusy.wait()
        let receipt = try await bench.post("1", picture: place.put("picture"))
        #expect(try await bench.add("2", "2") == .accepted())
        try await bench.post("3", .after(.seconds(5)))
        #expect(await bench.center.pending().map(\.id) == ["3"])
        bench.center.removeDelivered(["0"])
        await bench.center.flush()
        #expect(bench.deliveredTitles == ["2"] && place.names.isEmpty)
        copying.signal()
        await busy.value
        #expect(await receipt.outcome == .accepted())
        #expect(bench.deliveredFiles.map(place.text) == ["picture"])
    }

    @Test func promise16_whatComesAfterItsTimeLimitHasItsCopy() async throws {
        let bench = Bench(backend: backend, store: place.store)
        try await bench.center.setAuthorization(.granted)
        let first = try await bench.post("1", "first")
        #expect(try await backend.calls.next().text == "show first")
        try await bench.post("1", picture: place.put("picture"), .after(.seconds(5)))
        bench.clock.advance(by: .seconds(5))
        #expect(await first.outcome == .timedOut)
        // The one that waits for its turn has its limit as well, and the record lets go of it.
        while try await !place.store.read().schedule.items.isEmpty {
            bench.clock.advance(by: .seconds(5))
            await bench.saved()
        }
        await bench.saved()
        gate.open()
        while bench.deliveredFiles.isEmpty { _ = try await bench.changes.next() }
        #expect(bench.deliveredFiles.map(place.text) == ["picture"])
    }
}
