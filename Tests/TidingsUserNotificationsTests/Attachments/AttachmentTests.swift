// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Copies of the files that come with notifications, and when they go.
@Suite(.timeLimit(.minutes(5)))
struct AttachmentTests {
    private let place: AttachmentPlace

    init() throws {
        place = try AttachmentPlace()
    }

    @Test func promise16_whatIsShownNeedsTheCallersFileNoMore() async throws {
        let bench = try await place.bench()
        let path = try place.put("picture")
        #expect(await (try bench.post("1", picture: path)).outcome == .accepted())
        try FileManager.default.removeItem(atPath: path)
        let file = try #require(bench.deliveredFiles.first)
        #expect(bench.backend.shown.flatMap(\.content.files) == [file])
        #expect(file.hasPrefix(place.copies + "/") && file.hasSuffix(".png"))
        #expect(place.text(file) == "picture")
        await bench.saved()
        let next = try await place.bench()
        await next.saved()
        #expect(next.deliveredFiles == [file] && place.text(file) == "picture")
        let files = FileManager.default
        let rights = try [file, place.copies].map {
            try files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(rights == [0o600, 0o700])
    }

    @Test func promise16_whatWaitsNeedsTheCallersFileNoMore() async throws {
        let bench = try await place.bench()
        let path = try place.put("picture")
        try await bench.post("1", picture: path, .after(.seconds(5)))
        try FileManager.default.removeItem(atPath: path)
        let file = await bench.center.pending().flatMap(\.request.content.files).first
        #expect(place.names.count == 1)
        bench.clock.advance(by: .seconds(5))
        try await bench.waitForDelivered(1)
        #expect(bench.deliveredFiles == [try #require(file)])
        #expect(bench.deliveredFiles.map(place.text) == ["picture"])
        await bench.saved()
        #expect(place.names.count == 1)
    }

    @Test func promise16_theCallerMayWriteIntoItsFile() async throws {
        let bench = try await place.bench()
        let path = try place.put("before")
        _ = await (try bench.post("1", picture: path)).outcome
        try await bench.post("2", picture: path, .after(.seconds(5)))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data("behind".utf8))
        let files = bench.deliveredFiles + place.names.map { "\(place.copies)/\($0)" }
        #expect(Set(files.map(place.text)) == ["before"])
        #expect(place.text(path) == "behind")
    }

    /// How a delivered notification ends.
    enum End: CaseIterable {
        case removed, allRemoved, replaced, dismissed, responded
    }

    @Test(arguments: End.allCases)
    func promise16_theCopyOfWhatWasDeliveredGoesWithIt(_ end: End) async throws {
        let bench = try await place.bench()
        let path = try place.put("picture")
        _ = await (try bench.post("stays", picture: path)).outcome
        let kept = bench.deliveredFiles
        _ = await (try bench.post("1", picture: path)).outcome
        await bench.saved()
        #expect(place.names.count == 2)
        switch end {
        case .removed: bench.center.removeDelivered(["1"])
        case .allRemoved: bench.center.removeAllDelivered()
        case .replaced: _ = try await bench.add("1", "new")
        case .dismissed: try bench.backend.end("1", .dismissed)
        case .responded: try bench.backend.respond(to: "1")
        }
        await bench.saved()
        let left = end == .allRemoved ? [] : kept
        #expect(place.names.map { "\(place.copies)/\($0)" } == left)
        #expect(place.text(path) == "picture")
    }

    @Test func promise16_theCopyOfWhatWaitedGoesWithIt() async throws {
        let bench = try await place.bench()
        let path = try place.put("picture")
        for identifier in ["removed", "taken back", "replaced", "now", "all"] {
            try await bench.post(identifier, picture: path, .after(.seconds(5)))
        }
        #expect(place.names.count == 5)
        try await bench.center.removePending(["removed"])
        #expect(place.names.count == 4)
        bench.center.remove(["taken back"])
        await bench.saved()
        #expect(place.names.count == 3)
        try await bench.post("replaced", .after(.seconds(9)))
        #expect(place.names.count == 2)
        _ = try await bench.add("now")
        await bench.saved()
        #expect(place.names.count == 1)
        try await bench.center.removeAllPending()
        #expect(place.names.isEmpty)
        #expect(place.text(path) == "picture")
    }

    @Test func promise16_whatRepeatsKeepsItsCopyForTheNextTime() async throws {
        let bench = try await place.bench()
        try await bench.post("1", picture: place.put("a"), .after(.seconds(60), repeats: true))
        for _ in 0..<2 {
            bench.clock.advance(by: .seconds(60))
            try await bench.waitForDelivered(1)
            #expect(bench.deliveredFiles.map(place.text) == ["a"])
            bench.center.removeDelivered(["1"])
            await bench.saved()
            #expect(place.names.count == 1)
        }
        bench.center.removeAll()
        await bench.saved()
        #expect(place.names.isEmpty)
    }

    @Test func promise16_theCopyOfWhatLeavesAFullListGoes() async throws {
        let backend = InMemoryNotificationBackend()
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Bench", name: "Bench"),
            backend: backend,
            messages: MessageCenter(),
            store: place.store,
            limit: 2
        ) { _ in nil }
        try await center.setAuthorization(.granted)
        let path = try place.put("picture")
        for number in 1...4 {
            let content = UserNotificationContent(
                title: "\(number)",
                attachments: [.image(file: path)]
            )
            let request = UserNotificationRequest(identifier: "\(number)", content: content)
            _ = await (try center.add(request)).outcome
        }
        _ = await center.pending()
        let listed = center.delivered().flatMap(\.content.files)
        #expect(listed.count == 2)
        #expect(place.names.map { "\(place.copies)/\($0)" } == listed.sorted())
    }

    @Test func promise16_theCopyOfWhatIsReplacedBeforeItIsShownGoes() async throws {
        let bench = try await place.bench()
        let (asked, answer) = (Gate(), Gate())
        bench.center.isInFront = true
        bench.center.willPresent = { notification in
            guard notification.content.title == "1" else { return .all }
            asked.open()
            try? await answer.wait()
            return .all
        }
        let old = try await bench.post("1", picture: place.put("old"))
        try await asked.wait()
        // What is on its way is named by nothing on disk.
        await bench.saved()
        #expect(place.names.count == 1)
        let new = try await bench.post("1", "new")
        answer.open()
        #expect(await old.outcome == .replaced)
        #expect(await new.outcome == .accepted())
        await bench.saved()
        #expect(place.names.isEmpty)
    }

    @Test func promise16_theCopyOfWhatIsRemovedBeforeItIsListedGoes() async throws {
        let store = WatchedStore(over: place.store)
        let bench = Bench(store: store)
        try await bench.center.setAuthorization(.granted)
        let (asked, answer) = (Gate(), Gate())
        bench.center.isInFront = true
        bench.center.willPresent = { _ in
            asked.open()
            try? await answer.wait()
            return .all
        }
        let receipt = try await bench.post("1", picture: place.put("old"))
        try await asked.wait()
        #expect(place.names.count == 1)
        bench.center.remove(["1"])
        answer.open()
        #expect(await receipt.outcome == .replaced)
        // The answer, the start, two rounds, since the program came to the front, and a look at
        // what is not named any more.
        _ = try await within(.seconds(20)) { try await store.changes.first(5) }
        await bench.saved()
        #expect(place.names.isEmpty)
    }

    @Test func promise16_aDeliveredOneCanBeRequestedAgain() async throws {
        let bench = try await place.bench()
        _ = await (try bench.post("1", picture: place.put("picture"))).outcome
        let content = try #require(bench.center.delivered().first?.content)
        let again = UserNotificationRequest(
            identifier: "1",
            content: content,
            trigger: .after(.seconds(5))
        )
        _ = try await bench.center.add(again)
        bench.center.removeDelivered(["1"])
        await bench.saved()
        #expect(place.names.count == 1)
        bench.clock.advance(by: .seconds(5))
        try await bench.waitForDelivered(1)
        #expect(bench.deliveredFiles.map(place.text) == ["picture"])
    }

    @Test func promise16_aStoreInMemoryNamesTheCallersFile() async throws {
        let bench = Bench()
        let path = try place.put("picture")
        _ = await (try bench.post("1", picture: path)).outcome
        #expect(bench.deliveredFiles == [path])
    }
}
