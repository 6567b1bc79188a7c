// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct OrderDifferenceTests {
    @Test(arguments: [
        (["a", "b"], ["a", "b"], ["  a", "  b"]),
        (["a", "b"], ["a"], ["  a", "- b"]),
        (["a"], ["a", "b"], ["  a", "+ b"]),
        (["a", "b"], ["a", "c"], ["  a", "- b", "+ c"]),
        (["a", "b", "c"], ["a", "x", "b", "c"], ["  a", "+ x", "  b", "  c"]),
        ([], ["a"], ["+ a"]),
        ([], [], []),
    ])
    func showsMissingAndUnexpectedNames(
        expected: [String],
        recorded: [String],
        lines: [String]
    ) {
        #expect(OrderDifference(expected: expected, recorded: recorded).lines == lines)
    }

    @Test func aSwapIsOneMissingAndOneUnexpectedName() {
        let lines = OrderDifference(expected: ["a", "b"], recorded: ["b", "a"]).lines
        #expect(lines.count { $0.hasPrefix("- ") } == 1)
        #expect(lines.count { $0.hasPrefix("+ ") } == 1)
    }
}
