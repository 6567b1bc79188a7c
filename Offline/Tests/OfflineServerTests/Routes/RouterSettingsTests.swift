// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RouterSettingsTests {
    @Test func o22_settingsAreReadAndChangedOverHTTP() async throws {
        try await TestServer.run { fixture in
            let first = try await fixture.send("GET", "/api/settings")
            #expect(first.text.contains(#""downloads":"auto""#))
            let body = #"{"downloads":4,"hours":"23:00-7:00"}"#
            let changed = try await fixture.send("PATCH", "/api/settings", body: body)
            #expect(changed.status == 200)
            #expect(changed.text.contains(#""downloads":"4""#))
            #expect(changed.text.contains(#""hours":"23:00-07:00""#))
            #expect(try await fixture.send("GET", "/api/settings").text == changed.text)
        }
    }

    @Test func o22_anItemWithoutAChoiceHasThatOfTheSettings() async throws {
        try await TestServer.run { fixture in
            let body = #"{"quality":"480p","subtitles":"none"}"#
            _ = try await fixture.send("PATCH", "/api/settings", body: body)
            let address = #"{"url":"http://127.0.0.1:9/a","allowPrivate":true}"#
            let item = try await fixture.send("POST", "/api/downloads", body: address)
            #expect(item.text.contains(#""quality":"480p""#), "\(item.text)")
            #expect(item.text.contains(#""subtitles":"none""#), "\(item.text)")
        }
    }

    @Test(arguments: [
        #"{"downloads":17}"#, #"{"downloads":"2","per-host":"x"}"#, #"{"speed":"1"}"#, "[]", "[",
        #"{"hours":null}"#, #"{"hours":["always"]}"#, #"{"downloads":1.5}"#,
    ])
    func anInvalidChangeIsRefusedAndChangesNothing(_ body: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("PATCH", "/api/settings", body: body)
            #expect(response.status == 400)
            #expect(try fixture.library.settings() == DownloadSettings())
        }
    }
}
