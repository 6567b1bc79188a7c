// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FeedChecksTests {
    private let clock = ManualClock()
    private let date = ManualDate()

    private func library() throws -> TestLibrary {
        try TestLibrary { configuration in
            configuration.clock = clock
            configuration.now = { [date] in date.now }
        }
    }

    /// Returns a feed of files with the newest first.
    private func feed(_ numbers: [Int], title: String = "Pod") -> String {
        let items = numbers.map { number in
            "<item><title>Part \(number)</title><guid>\(number)</guid>"
                + "<enclosure url='/files/\(number).bin' type='audio/mpeg'/></item>"
        }
        return "<rss><channel><title>\(title)</title>\(items.joined())</channel></rss>"
    }

    private func serve(_ test: TestLibrary, _ feeds: JSON...) async throws {
        var routes: [String: JSON] = ["/feed": .list(feeds)]
        for number in 1...6 { routes["/files/\(number).bin"] = ["text": "file"] }
        try await test.origin.serve(routes)
    }

    private func request(_ test: TestLibrary, keep: Int = 2) throws -> FeedRequest {
        try FeedRequest(test.origin.address("/feed"), keep: keep)
    }

    private func titles(_ test: TestLibrary) throws -> [String] {
        try test.library.journal.items.items().map(\.title)
    }

    @Test func o26_followingQueuesTheNewestEntries() async throws {
        let test = try library()
        try await serve(test, ["text": .text(feed([4, 3, 2, 1]))])
        let followed = try await test.library.feeds.follow(try request(test))
        #expect(followed.title == "Pod")
        #expect(followed.entryCount == 4)
        #expect(try titles(test) == ["Part 4", "Part 3"])
        let again = try await test.library.feeds.follow(try request(test))
        #expect(again.id == followed.id)
        #expect(try titles(test).count == 2)
        _ = try await test.library.feeds.follow(try request(test, keep: 3))
        #expect(try titles(test) == ["Part 2", "Part 4", "Part 3"])
        await test.library.stop()
    }

    @Test func o26_aDocumentThatHasNotChangedIsNotSentAgain() async throws {
        let test = try library()
        try await serve(test, ["text": .text(feed([1])), "etag": "\"v1\""])
        let followed = try await test.library.feeds.follow(try request(test))
        let checked = try await test.library.feeds.check(followed.id)
        #expect(checked.failure == nil)
        #expect(try await test.origin.log().map(\.status) == [200, 304])
        await test.library.stop()
    }

    @Test func o26_anItemThatThePersonRemovedIsNotFetchedAgain() async throws {
        let test = try library()
        try await serve(
            test,
            ["text": .text(feed([1])), "etag": .null],
            ["text": .text(feed([2, 1])), "etag": .null]
        )
        let followed = try await test.library.feeds.follow(try request(test))
        try await test.library.remove(ItemID(rawValue: 1), withFile: true)
        _ = try await test.library.feeds.check(followed.id)
        #expect(try titles(test) == ["Part 2"])
        await test.library.stop()
    }

    @Test func o26_failuresAreRecordedAndRetryAfterIsKept() async throws {
        let test = try library()
        try await serve(
            test,
            ["text": .text(feed([1]))],
            ["status": 503, "text": "", "headers": ["Retry-After": "9000"]],
            ["status": 410, "text": ""]
        )
        let followed = try await test.library.feeds.follow(try request(test))
        let failed = try await test.library.feeds.check(followed.id)
        #expect(failed.failures == 1)
        #expect(failed.failure?.code == "unreachable")
        let wait = try #require(failed.nextCheck).timeIntervalSince(date.now)
        #expect(wait >= 9_000)
        let ended = try await test.library.feeds.check(followed.id)
        #expect(ended.failure?.code == "gone")
        #expect(ended.nextCheck == nil)
        await test.library.stop()
    }

    @Test func o26_aFeedIsCheckedAtItsTime() async throws {
        let test = try library()
        try await serve(test, ["text": .text(feed([1]))], ["text": .text(feed([2, 1]))])
        await test.library.start()
        let followed = try await test.library.feeds.follow(try request(test))
        let checks = MessageRecorder(FeedsChanged.self, on: test.library.messages)
        date.advance(by: 4_000)
        // This call wakes the loop, which otherwise sleeps on a clock that stands still.
        test.library.feeds.schedule(followed.id, at: followed.nextCheck)
        // The messages about the new feed may arrive late.
        while try !titles(test).contains("Part 2") { _ = try await checks.next() }
        await test.library.stop()
    }

    @Test func o26_aCheckWithoutANetworkWaitsForItsReturn() async throws {
        let network = ManualConnectivity()
        let test = try TestLibrary { configuration in
            configuration.clock = clock
            configuration.now = { [date] in date.now }
            configuration.connectivity = network
        }
        try await serve(
            test,
            ["text": .text(feed([1]))],
            ["text": .text(feed([3, 1])), "gate": "network", "cut": 10],
            ["text": .text(feed([3, 1])), "cut": 10]
        )
        await test.library.start()
        let followed = try await test.library.feeds.follow(try request(test))
        let changes = MessageRecorder(ConnectivityChanged.self, on: test.library.messages)
        let checks = MessageRecorder(FeedsChanged.self, on: test.library.messages)
        date.advance(by: 4_000)
        test.library.feeds.schedule(followed.id, at: followed.nextCheck)
        try await test.origin.waitForRequests(atGate: "network")
        network.become(.offline)
        // The first state may arrive late.
        while try await changes.next() != .offline {}
        try await test.origin.openGate("network")
        // If the check of the loop has ended, this call makes a new check. Both checks fail.
        let error = await #expect(throws: FeedError.self) {
            try await test.library.feeds.check(followed.id)
        }
        #expect(error?.code == .unreachable)
        try await serve(test, ["text": .text(feed([2, 1]))])
        network.become(.online)
        _ = try await checks.next()
        #expect(try titles(test).contains("Part 2"))
        #expect(try test.library.feeds.list().map(\.error) == [nil])
        await test.library.stop()
    }

    @Test func o26_stoppingWaitsForAFeedThatIsBeingFollowed() async throws {
        let test = try library()
        try await serve(test, ["text": .text(feed([1]))])
        let (begun, gate) = (Gate(), Gate())
        let steps = Lock<[String]>([])
        let clients = HTTPClients(userAgent: "test", ownServer: nil)
        let feeds = FeedChecks(
            FeedCheck(
                journal: test.library.journal,
                connectivity: test.library.connectivity,
                configuration: test.library.configuration,
                clients: clients,
                admit: { _ in
                    begun.open()
                    // The end of the library cancels this wait.
                    _ = try? await gate.wait()
                    steps.withLock { $0.append("followed") }
                },
                remove: { _, _ in }
            )
        )
        let following = Task { try await feeds.follow(try request(test)) }
        try await begun.wait()
        await feeds.stop()
        steps.withLock { $0.append("stopped") }
        #expect(steps.withLock { $0 } == ["followed", "stopped"])
        gate.open()
        _ = await following.result
        let error = await #expect(throws: FeedError.self) {
            try await feeds.follow(try request(test))
        }
        #expect(error?.code == .unavailable)
        clients.close()
        await test.library.stop()
    }

    @Test func o26_otherDocumentsAreNotFollowed() async throws {
        let test = try library()
        try await serve(test, ["text": "<html><p>A page</p></html>"])
        let error = await #expect(throws: FeedError.self) {
            try await test.library.feeds.follow(try request(test))
        }
        #expect(error?.code == .notAFeed)
        #expect(try test.library.feeds.list().isEmpty)
        await test.library.stop()
    }

    @Test func o26_theNumbersOfOneFeedSurviveAnotherProcess() async throws {
        let test = try library()
        try await serve(test, ["text": .text(feed([1]))])
        let followed = try await test.library.feeds.follow(try request(test))
        await test.library.stop()
        let later = try TestLibrary(in: test.folder, origin: test.origin)
        #expect(try later.library.feeds.list().map(\.id) == [followed.id])
        try later.library.feeds.unfollow(followed.id)
        #expect(try later.library.feeds.list().isEmpty)
        #expect(try titles(later) == ["Part 1"])
        #expect(throws: FeedError.self) { try later.library.feeds.unfollow(followed.id) }
        await later.library.stop()
    }
}

/// A time of day that stands still until a test advances it.
private final class ManualDate: Sendable {
    private let value = Lock(Date(timeIntervalSince1970: 1_790_000_000))

    var now: Date { value.withLock { $0 } }

    func advance(by seconds: Double) { value.withLock { $0 += seconds } }
}
