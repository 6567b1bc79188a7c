// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineAPI
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct RouterInspectionTests {
    @Test func o11_aRefusalIsNoFailureOfTheRequest() async throws {
        try await TestServer.run { fixture in
            let body = #"{"url":"see http://127.0.0.1:9/film.mp4","quality":"audio"}"#
            let response = try await fixture.send("POST", "/api/inspect", body: body)
            #expect(response.status == 200)
            let found = try JSONCoding.decode(MediaInspection.self, from: response.body)
            #expect(found.address == "http://127.0.0.1:9/film.mp4")
            #expect(found.refusal?.code == "privateAddress")
            #expect(fixture.library.newestItems.items.isEmpty)
        }
    }

    @Test(arguments: [
        "{}", #"{"url":""}"#, #"{"url":"file:///etc/passwd"}"#,
        #"{"url":"https://a.example/f https://b.example/f"}"#,
        #"{"url":"a.example/f","quality":"huge"}"#, #"{"url":"a.example/f","audio":"none"}"#,
        #"{"url":"a.example/f","subtitles":"<b>"}"#,
    ])
    func anInvalidRequestIsRefused(_ body: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("POST", "/api/inspect", body: body)
            #expect(response.status == 400)
            #expect(fixture.library.newestItems.items.isEmpty)
        }
    }

    @Test(arguments: [
        ("", 400), ("?address=", 400), ("?address=file:///etc/passwd", 400),
        ("?address=http://127.0.0.1:9/a.png", 404),
    ])
    func o11_thePictureOfAnotherServerFollowsTheRules(_ query: String, _ status: Int) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("GET", "/api/inspect/picture" + query)
            #expect(response.status == status)
        }
    }
}
