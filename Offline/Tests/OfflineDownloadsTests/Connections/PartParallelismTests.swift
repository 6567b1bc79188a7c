// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct PartParallelismTests {
    /// A download from a server that serves parts of one size in the order of their requests.
    private struct Download {
        var pace = PartParallelism()
        var instant = Duration.zero
        var permitted = PartParallelism.maximum
        /// The highest number of concurrent requests.
        var most = 0
        var bytes: Int64
        let duration: Duration
        /// Whether one request fills the line, so that all further requests wait.
        let isFull: Bool
        private var ends: [Duration] = []

        private init(bytes: Int64, duration: Duration, isFull: Bool) {
            (self.bytes, self.duration, self.isFull) = (bytes, duration, isFull)
        }

        /// A distant server, which answers any number of simultaneous requests.
        static let distant = Download(bytes: 100_000, duration: .milliseconds(60), isFull: false)
        /// A line with the same speed for one request and for many requests.
        static let full = Download(bytes: 8_000_000, duration: .milliseconds(80), isFull: true)

        mutating func run(parts: Int) {
            for _ in 0..<parts {
                while ends.count < min(pace.count, permitted) {
                    ends.append((isFull ? ends.last ?? instant : instant) + duration)
                }
                most = max(most, ends.count)
                instant = ends.removeFirst()
                pace.finish(bytes, at: instant, running: ends.count, permitted: permitted)
            }
        }

        mutating func run(until end: Duration) {
            while instant < end { run(parts: 1) }
        }

        mutating func refuse() {
            pace.refuse(begunAt: instant, at: instant)
        }
    }

    @Test func aDistantServerGetsSixteenRequestsWithinThirtyParts() {
        var download = Download.distant
        #expect(download.pace.count == 4)
        download.run(parts: 4)
        #expect(download.pace.count == 8)
        download.run(parts: 26)
        #expect(download.pace.count == 16)
        #expect(download.instant < .milliseconds(400))
        download.run(parts: 1_000)
        #expect(download.pace.count == 16)
        #expect(download.most == 16)
    }

    @Test func aLargeFirstPartHidesNoGain() {
        var download = Download.distant
        download.bytes = 1_900_000
        download.run(parts: 1)
        download.bytes = 450_000
        download.run(parts: 29)
        #expect(download.pace.count == 16)
    }

    @Test func aLineThatOneRequestFillsKeepsFour() {
        var download = Download.full
        download.run(parts: 40)
        #expect(download.most == 8)
        #expect(download.pace.count == 4)
        // One more trial follows after half a minute, and the next trial after a minute.
        download.run(until: .seconds(29))
        download.most = 0
        download.run(until: .seconds(45))
        #expect(download.most == 8)
        #expect(download.pace.count == 4)
        download.most = 0
        download.run(until: .seconds(80))
        #expect(download.most == 4)
    }

    @Test(arguments: [1, 2, 4, 6])
    func noMoreRequestsBeginThanThePersonPermits(permitted: Int) {
        var download = Download.distant
        download.permitted = permitted
        download.run(parts: 200)
        #expect(download.pace.count == max(4, permitted))
    }

    @Test func aRefusalHalvesTheNumberOnceForRequestsThatBeganTogether() {
        var download = Download.distant
        download.run(parts: 200)
        let began = download.instant
        for number in 1...16 {
            download.pace.refuse(begunAt: began, at: began + .milliseconds(number))
        }
        #expect(download.pace.count == 8)
        download.instant += .seconds(1)
        download.refuse()
        #expect(download.pace.count == 4)
        for _ in 0..<4 {
            download.instant += .seconds(1)
            download.refuse()
        }
        #expect(download.pace.count == 1)
    }

    @Test func theNumberGrowsAgainAfterAPauseButNotToTheRefusedOne() {
        var download = Download.distant
        download.run(parts: 200)
        download.refuse()
        let refused = download.instant
        download.run(until: refused + .seconds(29))
        #expect(download.pace.count == 8)
        download.most = 0
        download.run(until: refused + .seconds(60))
        #expect(download.pace.count == 15)
        #expect(download.most == 15)
    }

    @Test func partsWithoutTimeOrBytesGiveNoRate() {
        var pace = PartParallelism()
        for _ in 0..<100 { pace.finish(1, at: .zero, running: 3, permitted: 16) }
        #expect(pace.count == 4)
        pace.finish(1, at: .nanoseconds(1), running: 3, permitted: 16)
        #expect(pace.count == 8)
    }
}
