// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineModel

@Suite struct DownloadScheduleTests {
    private func items(
        _ numbers: ClosedRange<Int64>,
        of host: String
    ) -> [DownloadSchedule.Candidate] {
        numbers.map { .init(id: ItemID(rawValue: $0), host: host) }
    }

    private func ids(_ numbers: Int64...) -> [ItemID] { numbers.map(ItemID.init(rawValue:)) }

    /// Measures all running items for as many seconds as a stall takes.
    private func stall(_ schedule: inout DownloadSchedule, except fast: Set<ItemID> = []) {
        for second in 0...Int64(StallMeter.window) {
            let samples = schedule.runningItems.map { id in
                let bytes = fast.contains(id) ? second * 1_000_000 : second
                let sample = DownloadSchedule.Sample(
                    receivedBytes: bytes,
                    isRetrying: false,
                    isTransferring: true
                )
                return (id, sample)
            }
            _ = schedule.measure(Dictionary(uniqueKeysWithValues: samples))
        }
    }

    @Test func itemsOfOneServerStartInOrderUpToThePlaces() {
        var schedule = DownloadSchedule()
        let queued = items(1...5, of: "a")
        #expect(schedule.start(from: queued) == ids(1, 2, 3))
        #expect(schedule.hasWaiting)
        #expect(schedule.start(from: queued).isEmpty)
        schedule.end(ItemID(rawValue: 2))
        #expect(schedule.start(from: queued.filter { $0.id.rawValue > 3 }) == ids(4))
    }

    @Test func anotherServerStartsAtOnceBesideFullPlaces() {
        var schedule = DownloadSchedule()
        _ = schedule.start(from: items(1...5, of: "a"))
        #expect(schedule.start(from: items(1...5, of: "a") + items(6...9, of: "b")) == ids(6))
        let more = items(10...10, of: "c") + items(11...11, of: "d") + items(12...12, of: "e")
        #expect(schedule.start(from: more) == ids(10, 11))
    }

    @Test func stalledDownloadsGiveUpTheirPlaces() {
        var schedule = DownloadSchedule()
        let slow = items(1...3, of: "a")
        _ = schedule.start(from: slow)
        stall(&schedule)
        let fast = items(4...9, of: "b")
        #expect(schedule.start(from: slow + fast) == ids(4, 5, 6))
    }

    @Test func aStalledServerGetsNoFurtherDownloads() {
        var schedule = DownloadSchedule()
        _ = schedule.start(from: items(1...3, of: "a"))
        stall(&schedule)
        #expect(schedule.start(from: items(1...9, of: "a")).isEmpty)
    }

    @Test func aRecoveredDownloadTakesItsPlaceAgain() {
        var schedule = DownloadSchedule()
        _ = schedule.start(from: items(1...3, of: "a"))
        stall(&schedule)
        stall(&schedule, except: Set(ids(1, 2, 3)))
        #expect(schedule.start(from: items(4...9, of: "b")) == ids(4))
    }

    @Test func aRetryThatWaitsGivesItsPlaceBackAlsoUnderALowSpeedLimit() {
        var schedule = DownloadSchedule()
        _ = schedule.start(from: items(1...3, of: "a"))
        let sample = DownloadSchedule.Sample(
            receivedBytes: 7,
            isRetrying: true,
            isTransferring: false
        )
        let samples = Dictionary(uniqueKeysWithValues: schedule.runningItems.map { ($0, sample) })
        let canStart = schedule.measure(samples)
        #expect(canStart)
        #expect(schedule.start(from: items(4...9, of: "b")) == ids(4, 5, 6))
    }

    @Test func joiningAndCheckingAreNoStalls() {
        var schedule = DownloadSchedule()
        _ = schedule.start(from: items(1...3, of: "a"))
        for _ in 0...StallMeter.window {
            let sample = DownloadSchedule.Sample(
                receivedBytes: 7,
                isRetrying: false,
                isTransferring: false
            )
            _ = schedule.measure(
                Dictionary(uniqueKeysWithValues: ids(1, 2, 3).map { ($0, sample) })
            )
        }
        #expect(schedule.start(from: items(4...9, of: "b")) == ids(4))
    }

    @Test func noMoreThanTheMaximumRunsHoweverManyStall() {
        var schedule = DownloadSchedule()
        for host in 0..<40 {
            let first = Int64(host * 3 + 1)
            _ = schedule.start(from: items(first...(first + 2), of: "\(host)"))
            stall(&schedule)
        }
        #expect(schedule.runningItems.count == DownloadSchedule.maximumRunning)
    }

    @Test(arguments: ["held", "unrecorded", "offline"])
    func aHinderedItemLetsOthersGoFirst(_ reason: String) {
        var schedule = DownloadSchedule(PlaceCount(1...1))
        let first = ItemID(rawValue: 1)
        switch reason {
        case "held": schedule.hold(first)
        case "unrecorded": schedule.markUnrecorded(first)
        default: schedule.waitForNetwork(first)
        }
        #expect(schedule.start(from: items(1...2, of: "a")) == ids(2))
        schedule.end(ItemID(rawValue: 2))
        schedule.release(first)
        schedule.markRecorded(first)
        schedule.admit(first)
        #expect(schedule.start(from: items(1...1, of: "a")) == ids(1))
    }

    @Test func aHoldEndsWithItsLastRelease() {
        var schedule = DownloadSchedule()
        let first = ItemID(rawValue: 1)
        schedule.hold(first)
        schedule.hold(first)
        schedule.release(first)
        schedule.admit(first)
        #expect(schedule.start(from: items(1...1, of: "a")).isEmpty)
        schedule.release(first)
        #expect(schedule.start(from: items(1...1, of: "a")) == ids(1))
    }

    @Test func aHoldDoesNotHideThatAnOutcomeIsUnrecorded() {
        var schedule = DownloadSchedule()
        schedule.markUnrecorded(ItemID(rawValue: 1))
        schedule.hold(ItemID(rawValue: 1))
        schedule.release(ItemID(rawValue: 1))
        #expect(schedule.unrecorded == [ItemID(rawValue: 1)])
    }

    @Test func nothingStartsOnAFullDisk() {
        var schedule = DownloadSchedule()
        schedule.isDiskFull = true
        #expect(schedule.start(from: items(1...3, of: "a")).isEmpty)
        schedule.isDiskFull = false
        #expect(schedule.start(from: items(1...3, of: "a")) == ids(1, 2, 3))
    }

    @Test func manyEqualDownloadsGetMorePlaces() {
        var schedule = DownloadSchedule()
        let queued = items(1...20, of: "a")
        for second in 0..<10 {
            _ = schedule.start(from: queued)
            let samples = schedule.runningItems.map { id in
                (
                    id,
                    DownloadSchedule.Sample(
                        receivedBytes: Int64(second) * 8_000_000,
                        isRetrying: false,
                        isTransferring: true
                    )
                )
            }
            _ = schedule.measure(Dictionary(uniqueKeysWithValues: samples))
        }
        #expect(schedule.runningItems.count == PlaceCount.automatic.upperBound)
    }
}
