// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Testing

@testable import OfflineHousehold

@Suite struct HandedAddressTests {
    private func decode(_ values: [String: Any]) throws -> HandedAddress {
        try JSONDecoder().decode(
            HandedAddress.self,
            from: JSONSerialization.data(withJSONObject: values)
        )
    }

    @Test func anAddressKeepsItsChoiceOnTheWay() throws {
        let choice = try RequestedChoice(
            quality: "720p",
            audio: "de",
            subtitles: "all",
            chapters: "2-4"
        )
        let sent = DownloadRequest(
            try ItemOrigin(text: "https://a.example/film"),
            choice: choice
        )
        let data = try JSONEncoder().encode(HandedAddress(sent))
        let received = try JSONDecoder().decode(HandedAddress.self, from: data).request()
        #expect(received == sent)
    }

    @Test func theSenderKnowsTheLengthThatTheOthersTake() throws {
        for (length, isShort) in [(8_192, true), (8_193, false)] {
            let start = "https://a.example/"
            let text = start + String(repeating: "x", count: length - start.utf8.count)
            let sent = HandedAddress(DownloadRequest(try ItemOrigin(text: text)))
            #expect(sent.isShort == isShort)
            #expect(((try? decode(["url": text])) != nil) == isShort)
        }
    }

    @Test func nothingButTheAddressAndTheChoiceArrives() throws {
        let received = try decode([
            "url": "https://a.example/film", "allowPrivate": true, "headers": ["A: b"],
        ]).request()
        #expect(!received.allowsPrivateAddresses && received.options.isEmpty)
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "sample", "", "https://",
        "https://a.example/" + String(repeating: "x", count: 9_000),
    ])
    func whatCannotBeDownloadedIsRefused(_ address: String) {
        #expect(throws: (any Error).self) { try decode(["url": address]) }
    }

    @Test(arguments: ["quality", "audio", "subtitles", "chapters"])
    func aMalformedChoiceIsRefused(_ member: String) {
        #expect(throws: (any Error).self) {
            try decode(["url": "https://a.example/film", member: "9-?"])
        }
        #expect(throws: (any Error).self) {
            try decode(["url": "https://a.example/film", member: 7])
        }
    }
}
