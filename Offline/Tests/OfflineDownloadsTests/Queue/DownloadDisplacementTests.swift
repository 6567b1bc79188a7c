// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads
@testable import OfflineModel

@Suite struct DownloadDisplacementTests {
    private typealias Sample = DownloadSchedule.Sample

    /// Starts 32 downloads from 32 servers, which stall except for some.
    private func clogged(except fast: Set<Int64> = []) -> DownloadSchedule {
        var schedule = DownloadSchedule()
        for second in 0...400 {
            _ = schedule.start(from: slow)
            _ = schedule.measure(samples(schedule, second: Int64(second), except: fast))
        }
        return schedule
    }

    private var slow: [DownloadSchedule.Candidate] {
        (1...32).map { .init(id: ItemID(rawValue: $0), host: "slow\($0)") }
    }

    private func samples(
        _ schedule: DownloadSchedule,
        second: Int64 = 0,
        except fast: Set<Int64> = []
    ) -> [ItemID: Sample] {
        schedule.runningItems.reduce(into: [:]) { samples, id in
            samples[id] = Sample(
                receivedBytes: fast.contains(id.rawValue) ? second * 1_000_000 : second,
                isRetrying: false,
                isTransferring: true,
                isStoppable: true
            )
        }
    }

    private let other = DownloadSchedule.Candidate(id: ItemID(rawValue: 99), host: "other")

    @Test func stalledDownloadsOfAllPlacesLetAnotherServerBegin() throws {
        var schedule = clogged()
        #expect(schedule.runningItems.count == DownloadSchedule.maximumRunning)
        let none = schedule.start(from: slow + [other])
        #expect(none.isEmpty)
        let displaced = schedule.displace(for: [other], samples(schedule))
        #expect(displaced == ItemID(rawValue: 1))
        let id = try #require(displaced)
        schedule.end(id)
        let next = schedule.start(from: slow + [other])
        #expect(next == [other.id])
        schedule.end(other.id)
        let last = schedule.start(from: slow)
        #expect(last == [id])
    }

    @Test func eachStalledDownloadStopsOnce() {
        var schedule = clogged()
        let samples = samples(schedule)
        let stopped = (0..<33).map { _ in schedule.displace(for: [other], samples)?.rawValue }
        #expect(stopped == (1...32).map(Optional.init) + [nil])
    }

    @Test func nothingStopsWithoutAnotherServerThatWaits() {
        var schedule = clogged()
        let withoutOthers = schedule.displace(for: [], samples(schedule))
        #expect(withoutOthers == nil)
        schedule.hold(other.id)
        let withHeld = schedule.displace(for: [other], samples(schedule))
        #expect(withHeld == nil)
    }

    @Test func downloadsThatMoveKeepTheirPlaces() {
        var schedule = clogged(except: [1, 2, 3])
        let id = schedule.displace(for: [other], samples(schedule))
        #expect(id.map { ![1, 2, 3].contains($0.rawValue) } ?? true)
    }
}
