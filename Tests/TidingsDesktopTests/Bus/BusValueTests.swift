// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct BusValueTests {
    @Test func charactersThatNoMessageMayContainAreReplaced() throws {
        for number in [0, 1, 0x1B, 0x7F, 0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE] as [UInt32] {
            let scalar = try #require(Unicode.Scalar(number))
            #expect(BusText.readable("a\(scalar)b") == "a\u{FFFD}b")
        }
    }

    @Test(arguments: ["", "a & b <i>\"'", "🦊 👩‍👩‍👧", "שלום\tعالم\nä"])
    func otherTextsAreUnchanged(_ text: String) {
        #expect(BusText.readable(text) == text)
    }

    @Test func lineEndsAreOfOneKind() {
        #expect(BusText.readable("a\r\nb\rc\n\nd") == "a\nb\nc\n\nd")
    }
}
