// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsLock
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

/// Tests of settings that change while downloads run.
@Suite(.timeLimit(.minutes(15)))
struct SettingsInForceTests {
    private let clock = ManualClock()
    private let now = WallClock()
    private let test: TestLibrary
    private let changes: MessageRecorder<ItemChanged>

    init() async throws {
        let (clock, now) = (clock, now)
        test = try TestLibrary { configuration in
            configuration.clock = clock
            configuration.localTime = LocalTime(now: { now.date }, zone: { .gmt })
        }
        changes = MessageRecorder(ItemChanged.self, on: test.library.messages)
        let gated: JSON = ["size": 100_000, "gate": "rest", "gateAfter": 1_000]
        try await test.origin.serve(["/1": gated, "/2": gated, "/3": gated])
    }

    private func waitUntil(_ id: ItemID, is state: ItemState) async throws {
        while true {
            let item = try await changes.next().item
            if item.id == id, item.state == state { return }
        }
    }

    @Test func o22_aSmallerNumberOfDownloadsStopsSomeAndAGreaterContinuesThem() async throws {
        var ids: [ItemID] = []
        for path in ["/1", "/2"] {
            ids.append(try await test.library.enqueue(try test.request(path)).item.id)
        }
        await test.start()
        try await test.origin.waitForRequests(2, atGate: "rest")
        _ = try await test.library.change([.downloads: "1"])
        try await waitUntil(ids[1], is: .queued)
        #expect(try test.library.item(ids[0]).state == .fetching)
        _ = try await test.library.change([.downloads: "2"])
        try await waitUntil(ids[1], is: .fetching)
        await test.library.stop()
    }

    @Test func o22_whenTheHoursEndDownloadsWaitAndWhenTheyBeginTheyContinue() async throws {
        let id = try await test.library.enqueue(try test.request("/1")).item.id
        await test.start()
        try await test.origin.waitForRequests(atGate: "rest")
        _ = try await test.library.change([.hours: "13:00-14:00"])
        try await waitUntil(id, is: .queued)
        let waiting = test.library.representation(of: try test.library.item(id))
        #expect(waiting.state == .queued)
        #expect(waiting.waiting == "The download hours begin at 13:00.")
        #expect(test.library.queueState.lastData?.hoursBegin == "13:00")
        now.advance(by: 3_600)
        clock.advance(by: .seconds(60))
        try await waitUntil(id, is: .fetching)
        #expect(test.library.queueState.lastData?.hoursBegin == nil)
        await test.library.stop()
    }

    @Test func o22_outsideTheHoursNothingStartsAfterARestart() async throws {
        _ = try await test.library.change([.hours: "13:00-14:00"])
        let id = try await test.library.enqueue(try test.request("/1")).item.id
        await test.start()
        #expect(test.library.queueState.lastData == QueueState(hoursBegin: "13:00"))
        #expect(try test.library.item(id).state == .queued)
        #expect(try await test.requests().isEmpty)
        await test.library.stop()
    }
}

/// A wall clock that starts at noon of 4 May 2026.
private final class WallClock: Sendable {
    private let time = Lock(Date(timeIntervalSince1970: 1_777_896_000))

    var date: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0.addTimeInterval(seconds) }
    }
}
