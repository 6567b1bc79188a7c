// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct ProgressMeterTests {
    @Test func hasNoSpeedBeforeHalfASecond() {
        var meter = ProgressMeter()
        #expect(meter.sample(0, at: .zero) == nil)
        #expect(meter.sample(500, at: .milliseconds(250)) == nil)
        #expect(meter.sample(1_000, at: .milliseconds(500)) == 2_000)
    }

    @Test func dropsSamplesOlderThanFiveSeconds() {
        var meter = ProgressMeter()
        for second in 0...10 { _ = meter.sample(Int64(second) * 1_000_000, at: .seconds(second)) }
        for second in 11...16 { _ = meter.sample(10_000_000, at: .seconds(second)) }
        #expect(meter.sample(10_000_000, at: .seconds(17)) == 0)
    }

    @Test func aSmallerCountStartsANewAttempt() {
        var meter = ProgressMeter()
        _ = meter.sample(5_000, at: .zero)
        _ = meter.sample(9_000, at: .seconds(1))
        #expect(meter.sample(10, at: .seconds(2)) == nil)
        #expect(meter.sample(110, at: .seconds(3)) == 100)
    }
}
