// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct ServerEventTests {
    @Test func anEventHasItsNameItsDataAndAnEmptyLine() {
        let event = ServerEvent(.hello, json: [UInt8](#"{"a":1}"#.utf8))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "event: hello\ndata: {\"a\":1}\n\n")
    }

    @Test(arguments: ["a\nb", "a\r\nb", "a\rb", "a\n\nevent: forged\ndata: x"])
    func lineEndsInDataStartNoOtherField(_ text: String) {
        let event = ServerEvent(.items, json: [UInt8](text.utf8))
        let lines = String(decoding: event.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "event: items")
        #expect(lines.dropFirst().dropLast(2).allSatisfy { $0.hasPrefix("data: ") })
        #expect(lines.suffix(2) == ["", ""])
        #expect(!event.bytes.contains(0x0D))
    }

    @Test func theKeepAliveIsAComment() {
        #expect(String(decoding: ServerEvent.keepAlive.bytes, as: UTF8.self) == ": keep-alive\n\n")
    }
}
