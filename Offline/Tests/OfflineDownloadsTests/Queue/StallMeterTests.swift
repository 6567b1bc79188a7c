// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct StallMeterTests {
    private func meter(_ seconds: Int, perSecond: Int64) -> StallMeter {
        var meter = StallMeter()
        for second in 0...seconds {
            meter.measure(Int64(second) * perSecond, isRetrying: false)
        }
        return meter
    }

    @Test func aByteASecondIsAStallAfterTheWindow() {
        #expect(!meter(StallMeter.window - 1, perSecond: 1).isStalled)
        #expect(meter(StallMeter.window, perSecond: 1).isStalled)
    }

    @Test func aModemIsNoStall() {
        #expect(!meter(60, perSecond: 5_000).isStalled)
    }

    @Test func aRetryIsAStallAtOnceAndEndsWithIt() {
        var meter = meter(3, perSecond: 1_000_000)
        meter.measure(3_000_000, isRetrying: true)
        #expect(meter.isStalled)
        meter.measure(4_000_000, isRetrying: false)
        #expect(!meter.isStalled)
    }

    @Test func aStallEndsWhenBytesArrive() {
        var meter = meter(30, perSecond: 1)
        meter.measure(1_000_000, isRetrying: false)
        #expect(!meter.isStalled)
    }

    @Test func aDownloadThatStartsOverIsMeasuredAnew() {
        var meter = meter(30, perSecond: 1_000_000)
        for second in 0..<StallMeter.window { meter.measure(Int64(second), isRetrying: false) }
        #expect(!meter.isStalled)
        meter.measure(100, isRetrying: false)
        #expect(meter.isStalled)
    }
}
