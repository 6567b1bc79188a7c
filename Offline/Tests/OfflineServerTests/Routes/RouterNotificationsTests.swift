// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting
import TidingsUserNotifications

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RouterNotificationsTests {
    private func list(_ fixture: TestServer) async throws -> NotificationListJSON {
        let response = try await fixture.send("GET", "/api/notifications")
        return try JSONCoding.decode(NotificationListJSON.self, from: response.body)
    }

    private func decide(_ value: String, _ fixture: TestServer) async throws {
        let body = "{\"notifications\":\"\(value)\"}"
        let response = try await fixture.send("POST", "/api/preferences", body: body)
        #expect(response.text == body)
    }

    /// Waits until the list of delivered notifications has changed.
    private func afterNextDelivery(
        _ fixture: TestServer,
        _ work: () async throws -> Void
    ) async throws {
        let gate = Gate()
        let token = fixture.library.messages.observe(UserNotificationListChanged.self) { _ in
            gate.open()
        }
        try await work()
        try await gate.wait()
        token.cancel()
    }

    @Test func theDecisionIsRequestedOnceAndStored() async throws {
        try await TestServer.run { fixture in
            let first = try await fixture.send("GET", "/api/preferences").text
            #expect(first == #"{"notifications":"unknown"}"#)
            try await decide("denied", fixture)
            let stored = try fixture.library.journal.preferences.preference(
                NotificationPreference.key
            )
            #expect(stored == .denied)
            let refused = try await fixture.send(
                "POST",
                "/api/preferences",
                body: #"{"notifications":"unknown"}"#
            )
            #expect(refused.status == 400)
        }
    }

    @Test(arguments: [("play", true), ("library", false)])
    func aFinishedDownloadIsInTheInboxAndOpensTheLibrary(
        action: String,
        isPlayed: Bool
    ) async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "<b>film</b>", bytes: [1])
            // The download ended before the decision, so the notification is still pending.
            fixture.library.messages.post(DownloadCompleted(item: item))
            #expect(try await list(fixture).notifications.isEmpty)
            try await afterNextDelivery(fixture) { try await decide("granted", fixture) }
            let inbox = try await list(fixture)
            #expect(inbox.unread == 1)
            let entry = try #require(inbox.notifications.first)
            #expect(entry.category == "DOWNLOAD_COMPLETE")
            #expect((entry.title, entry.body) == ("<b>film</b>", "Ready in your library."))
            #expect(entry.itemID == item.id)
            let path = "/api/notifications/\(entry.id)/response"
            #expect(entry.banner)
            #expect(entry.actions.map(\.title) == ["Play", "Open Library"])
            let targets = Lock<[NavigationRequested]>([])
            let token = fixture.library.messages.observe(NavigationRequested.self) { target in
                targets.withLock { $0.append(target) }
            }
            let body = "{\"action\":\"\(action)\"}"
            let response = try await fixture.send("POST", path, body: body)
            #expect(
                response.text
                    == "{\"itemID\":\(item.id),\"open\":\"library\",\"play\":\(isPlayed)}"
            )
            token.cancel()
            // The page opens the target, so no browser opens.
            #expect(targets.withLock { $0.map(\.isInPage) } == [true])
            let play = NavigationRequested(place: .library, item: item.id, plays: true)
            #expect(fixture.server.entryAddress(of: play).hasSuffix("#play-\(item.id)"))
            #expect(try await list(fixture).notifications.isEmpty)
            #expect(try await fixture.send("POST", path, body: "{}").status == 404)
        }
    }

    @Test func aFailureOpensDownloadsAndReplacesTheEarlierOne() async throws {
        try await TestServer.run { fixture in
            try await decide("granted", fixture)
            let item = try fixture.addReady(title: "film", bytes: [1])
            for text in ["first", "second"] {
                try await afterNextDelivery(fixture) {
                    let error = DownloadError(.status, text)
                    fixture.library.messages.post(DownloadFailed(item: item, error: error))
                }
            }
            let inbox = try await list(fixture)
            #expect(inbox.notifications.map(\.body) == ["Failed: second"])
            let path = "/api/notifications/download-\(item.id)/response"
            let response = try await fixture.send("POST", path, body: "{}")
            #expect(response.text.contains("\"open\":\"downloads\""))
        }
    }

    @Test func readingClearsTheBadge() async throws {
        try await TestServer.run { fixture in
            try await decide("granted", fixture)
            let item = try fixture.addReady(title: "film", bytes: [1])
            try await afterNextDelivery(fixture) {
                fixture.library.messages.post(DownloadCompleted(item: item))
            }
            let response = try await fixture.send("POST", "/api/notifications/read", body: "{}")
            let inbox = try JSONCoding.decode(NotificationListJSON.self, from: response.body)
            #expect(inbox.unread == 0)
            #expect(inbox.notifications.map(\.isRead) == [true])
        }
    }
}
