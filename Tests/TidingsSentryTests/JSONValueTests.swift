// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct JSONValueTests {
    @Test func membersKeepTheirOrderAndEmptyOnesAreLeftOut() {
        let value: JSONValue = ["z": 1, "none": nil, "a": [true, "x"], "o": [:]]
        #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"z":1,"a":[true,"x"],"o":{}}"#)
    }

    @Test(arguments: [
        "", "plain", "\"\\/", "\n\r\t\u{8}\u{C}", "\u{0}\u{1F}\u{7F}", "é😀👨‍👩‍👧‍👦", "\u{2028}",
        "\u{FFFF}",
    ])
    func textsAreReadBackUnchanged(text: String) throws {
        let read = try JSONValue.list([.text(text)]).read()
        #expect(read as? [String] == [text])
        #expect(!JSONValue.text(text).bytes.contains { $0 < 0x20 }, "The text is on one line.")
    }

    @Test(arguments: [
        0.1, -0.0, .leastNonzeroMagnitude, 1e300, .greatestFiniteMagnitude, 1_800_000_000.123,
    ])
    func numbersAreReadBackUnchanged(number: Double) throws {
        #expect(try JSONValue.list([.number(number)]).read() as? [Double] == [number])
    }

    @Test func numbersWithoutAJSONFormBecomeStrings() throws {
        let value = JSONValue.list([.number(.nan), .number(-.infinity)])
        #expect(try value.read() as? [String] == ["nan", "-inf"])
    }

    @Test func addressesAreHexadecimal() {
        #expect(JSONValue.address(.max) == "0xffffffffffffffff")
        #expect(JSONValue.address(0) == "0x0")
    }
}
