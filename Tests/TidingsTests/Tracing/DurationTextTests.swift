// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings
@testable import TidingsTracing

@Suite(.timeLimit(.minutes(15)))
struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0 ns"), (.nanoseconds(850), "850 ns"), (.nanoseconds(9_364), "9.4 µs"),
        (.nanoseconds(9_960), "10 µs"), (.microseconds(12_400), "12 ms"), (.seconds(3), "3.0 s"),
        (.seconds(7_200), "7200 s"),
    ])
    func theUnitSuitsTheSize(duration: Duration, text: String) {
        #expect(duration.shortText == text)
    }
}
