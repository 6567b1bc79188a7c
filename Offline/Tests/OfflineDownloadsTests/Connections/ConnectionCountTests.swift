// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct ConnectionCountTests {
    private static let mebibyte: Int64 = 1 << 20

    /// A download from a server whose rate depends on the number of connections.
    private struct Download {
        var count = ConnectionCount()
        var instant = Duration.zero
        var received: Int64 = 0
        var size: Int64 = 1 << 30
        var permitted = ConnectionCount.maximum
        let rate: (_ connections: Int) -> Double
        /// The highest number so far.
        var most = 1

        mutating func run(seconds: Double, isFlowing: Bool = true) {
            for _ in 0..<Int(seconds * 10) {
                instant += .milliseconds(100)
                received = min(size, received + Int64(rate(count.count) / 10))
                count.measure(
                    ConnectionCount.Measurement(
                        instant: instant,
                        received: received,
                        missing: size - received,
                        isFlowing: isFlowing,
                        permitted: permitted
                    )
                )
                most = max(most, count.count)
            }
        }
    }

    @Test func aServerThatLimitsEachConnectionGetsFour() {
        var download = Download { 2_000_000 * Double($0) }
        download.run(seconds: 0.4)
        #expect(download.count.count == 2)
        download.run(seconds: 0.5)
        #expect(download.count.count == 4)
        download.run(seconds: 60)
        #expect(!download.count.isUrgent)
        #expect(download.count.count == 4)
        #expect(download.most == 4)
    }

    @Test func o24_aServerThatSharesOneRateGetsOneAgain() {
        var download = Download { _ in 2_000_000 }
        download.run(seconds: 1)
        #expect(download.most == 2)
        #expect(download.count.count == 1)
        download.run(seconds: 29)
        #expect(download.count.count == 1)
        // One more trial follows after half a minute, and the next trial after a minute.
        download.run(seconds: 3)
        #expect(download.count.count == 1)
        download.most = 1
        download.run(seconds: 55)
        #expect(download.most == 1)
    }

    @Test func aServerWithTwoFastConnectionsKeepsTwo() {
        var download = Download { 2_000_000 * Double(min(2, $0)) }
        download.run(seconds: 10)
        #expect(download.most == 4)
        #expect(download.count.count == 2)
    }

    @Test func aFastConnectionStaysAlone() {
        var download = Download { _ in ConnectionCount.sufficientRate * 1.1 }
        download.run(seconds: 30)
        #expect(download.most == 1)
        #expect(!download.count.isUrgent)
    }

    @Test(arguments: [3 << 20, 4 << 20])
    func aSmallRestGetsNoFurtherConnection(size: Int64) {
        var download = Download { _ in 10_000_000 }
        download.size = size
        download.run(seconds: 5)
        #expect(download.most == 1)
    }

    @Test func aConnectionWithoutBytesIsNoTrial() {
        var download = Download { _ in 0 }
        download.run(seconds: 30)
        #expect(download.most == 1)
    }

    @Test func connectionsThatNeverFlowAreGivenUp() {
        var download = Download { _ in 2_000_000 }
        download.run(seconds: 0.4)
        #expect(download.count.count == 2)
        download.run(seconds: 4, isFlowing: false)
        #expect(download.count.count == 2)
        download.run(seconds: 2, isFlowing: false)
        #expect(download.count.count == 1)
    }

    @Test func o24_aRefusalEndsTheTrials() {
        var download = Download { 2_000_000 * Double($0) }
        download.run(seconds: 0.4)
        download.count.refuse(1)
        #expect(download.count.count == 1)
        #expect(download.count.limit == 1)
        download.most = 1
        download.run(seconds: 120)
        #expect(download.most == 1)
    }

    @Test func aHostWithoutPlacesGetsNone() {
        var download = Download { 2_000_000 * Double($0) }
        download.permitted = 1
        download.run(seconds: 10)
        #expect(download.most == 1)
        download.permitted = 3
        download.run(seconds: 10)
        #expect(download.most == 3)
        download.count.yield(to: 1, at: download.instant)
        #expect(download.count.count == 1)
        download.run(seconds: 29)
        #expect(download.count.count == 1)
        download.run(seconds: 4)
        #expect(download.count.count == 3)
    }
}
