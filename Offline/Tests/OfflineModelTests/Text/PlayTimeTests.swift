// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PlayTimeTests {
    @Test(arguments: [(0.0, "0:00"), (65, "1:05"), (3_723, "1:02:03"), (.infinity, "–"), (-1, "–")])
    func timesUseClockNotation(seconds: Double, text: String) {
        #expect(PlayTime.text(seconds) == text)
    }
}
