// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics
import TidingsHTTP
import TidingsLock

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineSources
@testable import OfflineStore

/// Calls every operation through the client, over HTTP.
@Suite(.timeLimit(.minutes(15)))
struct APIOperationsTests {
    private final class Caller: Sendable {
        private let client: APIClient
        let called = Lock<Set<String>>([])

        init(_ fixture: TestServer) throws {
            let origin = fixture.server.origin
            let file = ServerFile(address: origin, token: TestServer.token, process: getpid())
            // The machine may be busy with other tests.
            client = try APIClient(file, patience: .seconds(300))
        }

        deinit { client.close() }

        /// Calls an operation that succeeds.
        @discardableResult
        func callAsFunction<Service, Input, Output>(
            _ operation: APIOperation<Service, Input, Output>,
            _ input: Input
        ) async throws -> Output {
            called.withLock { _ = $0.insert(operation.endpoint.name) }
            return try await client.call(operation, input)
        }

        @discardableResult
        func callAsFunction<Service, Output>(
            _ operation: APIOperation<Service, NoContent, Output>
        ) async throws -> Output {
            try await self(operation, NoContent())
        }

        /// Calls an operation that the server refuses with a status that the operation declares.
        func refused<Service, Input, Output>(
            _ operation: APIOperation<Service, Input, Output>,
            _ input: Input,
            _ status: Int
        ) async {
            let error = await #expect(throws: RemoteError.self, "\(operation.endpoint.name)") {
                try await self(operation, input)
            }
            #expect(error?.status == status, "\(operation.endpoint.name): \(error?.message ?? "")")
            // Every operation with an input can return 400.
            #expect(
                status == 400 || operation.endpoint.errors.contains(status),
                "\(operation.endpoint.name)"
            )
        }
    }

    @Test func theClientCallsEveryOperation() async throws {
        try await TestServer.run { fixture in
            let call = try Caller(fixture)
            let film = try fixture.addReady(title: "Film", bytes: [1, 2, 3])
            try await callItems(call, film.id)
            try await callLibrary(call, film.id)
            try await callFeedsAndCollections(call, film.id)
            try await callCatalog(call)
            try await callPeople(call)
            try await callServer(call, film.id)
            let all = Set(API.endpoints.map(\.name))
            let streams = Mirror(reflecting: API.streams).children
                .compactMap { ($0.value as? Endpoint)?.name }
            #expect(all.subtracting(streams) == call.called.withLock(\.self))
            #expect(all.count == API.endpoints.count)
        }
    }

    private func callItems(_ call: Caller, _ film: ItemID) async throws {
        let request = DownloadRequest(try ItemOrigin(text: "https://media.example/a.mp4"))
        let first = try await call(API.items.download, DownloadOrder(request)).id
        let text = PasteJSON(text: "see https://media.example/b.mp4")
        let second = try #require(
            try await call(API.items.paste, PasteOrder(text, .init())).items.first
        ).id
        try await call(API.items.downloadSample)
        // The address policy refuses this address, so that the test needs no network.
        let local = DownloadRequest(try ItemOrigin(text: "http://127.0.0.1:9/a.mp4"))
        let found = try await call(API.items.inspect, InspectionOrder(local))
        #expect(found.refusal?.code == "privateAddress")
        #expect(try await call(API.items.move, .init(second, .top)).position == 0)
        #expect(try await call(API.items.pause, first).state == .paused)
        #expect(try await call(API.items.retry, .init(first, RetryJSON())).state == .queued)
        await call.refused(API.items.stop, film, 409)
        #expect(try await call(API.items.cancel, first).removed == first)
        #expect(try await call(API.items.changeAll, .pause).changed == 2)
        #expect(try await call(API.items.rename, .init(film, .init(title: "New"))).title == "New")
        try await call(API.items.keep, film)
        #expect(try await call(API.items.item, film).state == .ready)
        #expect(try await call(API.items.tracks, film).tracks.isEmpty)
        let change = try PlaybackChange(seconds: 20)
        #expect(try await call(API.items.play, .init(film, change)).seconds == 20)
        #expect(try await call(API.items.playback, film).seconds == 20)
        #expect(
            try await call(API.items.inPlayback, QueryInput(["count": "5"])).items.map(\.id) == [
                film
            ]
        )
        #expect(try await call(API.items.queue).running.isEmpty)
        try await call(API.items.checkUpload, QueryInput(["name": "a b.mp4", "size": "3"]))
        let query = ItemQuery(
            states: [.ready],
            isWatched: false,
            media: .video,
            order: .size,
            after: nil,
            count: 7
        )
        let page = try await call(API.items.list, .page(query, search: "new"))
        #expect(page.items.map(\.id) == [film] && page.total == 1)
        #expect(try await call(API.items.list, .some([film, second])).items.count == 2)
        let removal = ItemRemoval(second, withFile: true)
        #expect(try await call(API.items.remove, removal).removed == second)
    }

    private func callLibrary(_ call: Caller, _ film: ItemID) async throws {
        let change = SettingsChange([.downloads: "2", .hours: "23:00-07:00"])
        let settings = try await call(API.library.changeSettings, change)
        #expect(try await call(API.library.settings) == settings)
        #expect(settings.text(of: .hours) == "23:00-07:00")
        #expect(try await call(API.library.connectivity).state == "unknown")
        #expect(try await call(API.library.refresh, RefreshOptions(importFiles: true)).checked == 1)
        let wanted = VerifyJSON(ids: [film], acceptSubtitles: false)
        let run = VerificationRun(try await call(API.library.verify, wanted).run)
        #expect(try await call(API.library.verification, run).total == 1)
        try await call(API.library.stopVerification, run)
        let text = """
            {"exportedAt":"2026-03-03T14:05:00Z","format":"offline-library","version":2}
            {"feeds":0,"items":0}
            """
        let parts = RequestParts(query: ["allowPrivate": "true"], body: [UInt8](text.utf8))
        #expect(try await call(API.library.importText, LibraryText(parts)).items == 0)
    }

    private func callFeedsAndCollections(_ call: Caller, _ film: ItemID) async throws {
        #expect(try await call(API.feeds.list).feeds.isEmpty)
        // The library of this test is not started.
        let feed = try FeedRequest(.init("http://127.0.0.1:9/feed"), keep: 5)
        await call.refused(API.feeds.follow, feed, 400)
        await call.refused(API.feeds.check, FeedID(rawValue: 9), 404)
        await call.refused(API.feeds.unfollow, FeedID(rawValue: 9), 404)
        let name = try CollectionName("Für die Reise")
        let made = try await call(API.collections.make, .init(name: name))
        let items = CollectionItemsJSON(items: [film])
        #expect(try await call(API.collections.add, .init(made.id, items)).items == [film])
        #expect(try await call(API.collections.takeOut, .init(made.id, items)).items.isEmpty)
        let change = CollectionJSON(name: try CollectionName("Other"), items: [film])
        #expect(try await call(API.collections.change, .init(made.id, change)).name == "Other")
        #expect(try await call(API.collections.list).collections.map(\.id) == [made.id])
        try await call(API.collections.remove, made.id)
    }

    private func callCatalog(_ call: Caller) async throws {
        let address = CatalogAddressJSON(address: "https://school.example/all.json")
        #expect(try await call(API.catalog.set, address).address == address.address)
        try await call(API.catalog.refresh)
        let lesson = Addressed("a/1 ä", LessonPartsJSON(parts: "audio"))
        await call.refused(API.catalog.downloadLesson, lesson, 404)
        #expect(try await call(API.catalog.page, QueryInput([:])).total == 0)
        #expect(try await call(API.catalog.remove).state == "empty")
    }

    private func callPeople(_ call: Caller) async throws {
        let granted = PreferencesJSON(notifications: .granted)
        #expect(try await call(API.notifications.setPreferences, granted).notifications == .granted)
        #expect(try await call(API.notifications.preferences).notifications == .granted)
        #expect(try await call(API.notifications.list).unread == 0)
        try await call(API.notifications.markRead)
        let response = Addressed("none", ResponseJSON(action: nil))
        await call.refused(API.notifications.respond, response, 404)
        #expect(try await call(API.reports.list).reports.isEmpty)
        await call.refused(API.reports.recordTest, NoContent(), 409)
        await call.refused(API.reports.report, "none", 404)
        await call.refused(API.reports.remove, "none", 404)
        try await call(API.reports.setConsent, .init(consent: .revoked))
        await call.refused(API.reports.send, NoContent(), 409)
        try await call(API.reports.removeAll)
    }

    private func callServer(_ call: Caller, _ film: ItemID) async throws {
        #expect(try await call(API.server.makeTicket).address.contains("?ticket="))
        await call.refused(API.server.setPresence, .init(client: 7, inFront: true), 404)
        #expect(try await call(API.server.devices).isOpen == false)
        await call.refused(API.server.inviteDevice, NoContent(), 503)
        let decision = Addressed(1, DecisionJSON(letIn: true))
        await call.refused(API.server.decideDevice, decision, 503)
        await call.refused(API.server.removeDevice, 1, 503)
        #expect(try await call(API.server.machines).isJoined == false)
        let request = DownloadRequest(try ItemOrigin(text: "https://media.example/c.mp4"))
        await call.refused(API.server.handOver, HandoverOrder(request, to: "attic"), 409)
        #expect(try await call(API.server.activity).isWatched == false)
        #expect(try await call(API.server.folder).canShow == false)
        await call.refused(API.server.showFolder, NoContent(), 503)
        await call.refused(API.server.showFile, film, 503)
    }
}
