// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ISODurationTests {
    @Test(arguments: [
        ("PT0S", 0.0), ("PT1H2M3.5S", 3_723.5), ("P1DT1S", 86_401), ("PT90M", 5_400),
        ("P0Y0M0DT0H3M30.000S", 210), ("PT.5S", 0.5),
    ])
    func durationsAreRead(text: String, seconds: Double) {
        #expect(ISODuration.seconds(text) == seconds)
    }

    @Test(arguments: ["", "P", "PT", "10", "PT1", "PT1X", "-PT1S", "P1Y", "P1M", "PT1e9H", "PTS"])
    func otherTextsAreNoDurations(text: String) {
        #expect(ISODuration.seconds(text) == nil)
    }
}
