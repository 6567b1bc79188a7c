// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineModel
import Testing

@testable import OfflineHousehold

@Suite struct WireTests {
    private func news(_ changes: [String: Any]) throws -> DownloadNews {
        var values: [String: Any] = [
            "machine": "attic", "item": 3, "title": "Film", "isPlayable": true,
            "page": "http://192.168.1.5:8440",
        ]
        values.merge(changes) { $1 }
        return try JSONDecoder().decode(
            DownloadNews.self,
            from: JSONSerialization.data(withJSONObject: values)
        )
    }

    @Test func newsKeepTheirValuesOnTheWay() throws {
        let sent = try news(["failure": "No."])
        let received = try JSONDecoder().decode(
            DownloadNews.self,
            from: JSONEncoder().encode(sent)
        )
        #expect(received.title.text == "Film" && received.machine.text == "attic")
        #expect(received.page?.description == "http://192.168.1.5:8440")
        #expect(received.failure?.text == "No." && received.item.rawValue == 3)
    }

    @Test(arguments: [
        ("No host answers at https://a.example/film?key=1.", "No host answers at a.example."),
        ("It is HTTP/2 and/or 3.", "It is HTTP/2 and/or 3."),
        ("It cannot be written (open /media/disk/x: Permission denied).", "Its page says why."),
        ("/media/disk has no room.", "Its page says why."),
    ])
    func aFailureNamesHostsAndNoPaths(_ message: String, _ expected: String) {
        #expect(DownloadError(.diskFull, message).messageForOthers == expected)
    }

    @Test func textsBecomeOneShortLineWithoutControlCharacters() throws {
        let received = try news([
            "title": "a\u{1B}[31m\nb\u{202E}c\u{0}",
            "machine": String(repeating: "m", count: 100_000),
        ])
        #expect(received.title.text == "a[31m bc")
        #expect(received.machine.text.count == LineOfText.longest)
    }

    @Test(arguments: ["javascript:alert(1)", "file:///x", "http://evil.example:80", ""])
    func aForeignLinkIsDroppedAndTheNewsStay(_ link: String) throws {
        let received = try news(["page": link])
        #expect(received.page == nil && received.title.text == "Film")
    }

    @Test func valuesOfOtherTypesAreRefused() {
        for change in [
            ["item": -1], ["item": "3"], ["title": 7], ["machine": ["a"]], ["isPlayable": "yes"],
        ] as [[String: Any]] {
            #expect(throws: DecodingError.self) { try news(change) }
        }
    }
}
