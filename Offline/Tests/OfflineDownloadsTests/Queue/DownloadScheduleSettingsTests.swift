// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineStore

@Suite struct DownloadScheduleSettingsTests {
    private var schedule = DownloadSchedule()

    private func items(
        _ numbers: ClosedRange<Int64>,
        of host: String
    ) -> [DownloadSchedule.Candidate] {
        numbers.map { .init(id: ItemID(rawValue: $0), host: host) }
    }

    private func ids(_ numbers: Int64...) -> [ItemID] { numbers.map(ItemID.init(rawValue:)) }

    private func settings(_ texts: [SettingKey: String]) throws -> DownloadSettings {
        var settings = DownloadSettings()
        for (key, text) in texts { try settings.set(key, to: text) }
        return settings
    }

    private func samples(stoppable: Bool = true) -> [ItemID: DownloadSchedule.Sample] {
        let sample = DownloadSchedule.Sample(
            receivedBytes: 0,
            isRetrying: false,
            isTransferring: true,
            isStoppable: stoppable
        )
        return Dictionary(uniqueKeysWithValues: schedule.runningItems.map { ($0, sample) })
    }

    @Test mutating func o22_aFixedNumberIsNeverExceeded() throws {
        schedule.apply(try settings([.downloads: "2"]), isOpen: true)
        let queued = items(1...3, of: "a") + items(4...6, of: "b")
        #expect(schedule.start(from: queued) == ids(1, 2))
        // Neither servers without a download nor stalled downloads raise the number.
        for _ in 0...StallMeter.window { _ = schedule.measure(samples()) }
        #expect(schedule.start(from: queued).isEmpty)
        #expect(schedule.isFull)
    }

    @Test mutating func o22_aGreaterNumberStartsMore() throws {
        schedule.apply(try settings([.downloads: "1"]), isOpen: true)
        let queued = items(1...9, of: "a")
        #expect(schedule.start(from: queued) == ids(1))
        schedule.apply(try settings([.downloads: "4"]), isOpen: true)
        #expect(schedule.start(from: queued) == ids(2, 3, 4))
        schedule.apply(try settings([:]), isOpen: true)
        #expect(schedule.places.count == 4)
    }

    @Test mutating func o22_aSmallerNumberStopsTheLastStarted() throws {
        _ = schedule.start(from: items(7...9, of: "a"))
        _ = schedule.start(from: items(1...2, of: "b"))
        #expect(schedule.surplus(samples()).isEmpty)
        schedule.apply(try settings([.downloads: "1"]), isOpen: true)
        #expect(schedule.surplus(samples()) == ids(8, 9, 1))
        #expect(schedule.surplus(samples(stoppable: false)).isEmpty)
    }

    @Test mutating func o22_aServerGetsNoMoreThanTheLimitOfAHost() throws {
        schedule.apply(try settings([.perHost: "1", .downloads: "9"]), isOpen: true)
        let queued = items(1...3, of: "a") + items(4...6, of: "b")
        #expect(schedule.start(from: queued) == ids(1, 4))
        schedule.apply(try settings([.perHost: "2", .downloads: "9"]), isOpen: true)
        #expect(schedule.start(from: queued) == ids(2, 5))
        schedule.apply(try settings([.perHost: "1", .downloads: "9"]), isOpen: true)
        #expect(schedule.surplus(samples()) == ids(2, 5))
    }

    @Test mutating func o22_outsideTheHoursOnlyRecordingsRun() throws {
        _ = schedule.start(from: items(1...2, of: "a"))
        schedule.apply(try settings([:]), isOpen: false)
        #expect(schedule.surplus(samples()) == ids(1, 2))
        var queued = items(3...5, of: "b")
        queued[1].isLive = true
        #expect(schedule.start(from: queued) == ids(4))
        #expect(!schedule.hasWaiting)
        for id in ids(1, 2) { schedule.end(id) }
        schedule.apply(try settings([:]), isOpen: true)
        #expect(schedule.start(from: queued) == ids(3, 5))
    }
}
