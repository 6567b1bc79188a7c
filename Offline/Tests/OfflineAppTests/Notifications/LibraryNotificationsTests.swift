// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineHousehold
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsTestFixtures
import TidingsTesting
import TidingsUserNotifications

@testable import OfflineAPI
@testable import OfflineApp
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// A desktop that shows and records every notification.
private final class RecordingDesktop: NotificationBackend {
    struct Shown: Message {
        let title: String
    }

    let shown: MessageRecorder<Shown>
    private let log = MessageCenter()

    init() { shown = MessageRecorder(on: log) }

    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {}

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        log.post(Shown(title: notification.content.title))
        return .accepted()
    }

    func close(_ identifier: String) async {}

    func setBadge(_ count: Int) async {}
}

@Suite(.timeLimit(.minutes(15)))
struct LibraryNotificationsTests {
    private let test: TestLibrary
    private let notifications: LibraryNotifications
    private let changes: MessageRecorder<UserNotificationListChanged>

    init() throws {
        test = try TestLibrary()
        notifications = LibraryNotifications(test.library)
        changes = MessageRecorder(on: test.library.messages)
        notifications.start { true }
    }

    private var messages: MessageCenter { test.library.messages }
    private var bodies: [String] {
        notifications.center.delivered().map { "\($0.content.title): \($0.content.body)" }
    }

    private func makeItem(_ title: String) throws -> MediaItem {
        try test.library.journal.insert(try test.request("/\(title)"), title: title, at: Date())
    }

    private func fail(_ item: MediaItem, _ text: String = "No.") {
        messages.post(DownloadFailed(item: item, error: DownloadError(.status, text)))
    }

    @Test func eventsBeforeTheDecisionAreDeliveredInOrder() async throws {
        let (first, second) = (try makeItem("a"), try makeItem("b"))
        fail(first, "Once.")
        fail(second)
        messages.post(DownloadCompleted(item: first))
        #expect(try await notifications.preference() == .unknown)
        #expect(bodies.isEmpty)
        try await notifications.center.setAuthorization(granted: true)
        let wanted = Set(["b: Failed: No.", "a: Ready in your library."])
        while Set(bodies) != wanted { _ = try await changes.next() }
        #expect(bodies.count == 2)
    }

    @Test func aFloodFromOtherMachinesDisplacesNoEventOfThisOneBeforeTheDecision() async throws {
        let own = try makeItem("own")
        for number in 1...1_200 {
            if number == 2 { messages.post(DownloadCompleted(item: own)) }
            messages.post(
                DownloadEndedElsewhere(
                    machine: "attic",
                    origin: "attic",
                    item: ItemID(rawValue: Int64(number)),
                    title: "\(number)",
                    isPlayable: true,
                    failure: nil,
                    page: nil
                )
            )
        }
        // The delivery may have taken one notification, which waits for the decision.
        #expect((1_149...1_150).contains(notifications.droppedCount))
        try await notifications.center.setAuthorization(granted: true)
        while !bodies.contains(where: { $0.hasPrefix("1200: ") }) { _ = try await changes.next() }
        #expect(bodies.contains("own: Ready in your library."))
    }

    @Test func aFailureNamesTheHostInPlaceOfTheAddress() async throws {
        try await notifications.center.setAuthorization(granted: true)
        let text = "The server at https://me:pw@films.example:8080/a/b.mp4?key=1 did not answer."
        fail(try makeItem("a"), text + " See (https://films.example/help).")
        let wanted =
            "a: Failed: The server at films.example:8080 did not answer. See (films.example)."
        while bodies.isEmpty { _ = try await changes.next() }
        #expect(bodies == [wanted])
    }

    @Test func itemsOfOneTitleHaveNotificationsOfTheirOwn() async throws {
        try await notifications.center.setAuthorization(granted: true)
        for path in ["1", "2", "3"] {
            let item = try test.library.journal.insert(
                try test.request("/\(path)"),
                title: "Lesson",
                at: Date()
            )
            messages.post(DownloadCompleted(item: item))
        }
        while bodies.count < 3 { _ = try await changes.next() }
        #expect(
            bodies == [
                "Lesson: Ready in your library.",
                "Lesson: Ready in your library. 2 items have this title.",
                "Lesson: Ready in your library. 3 items have this title.",
            ]
        )
    }

    @Test func onlyFailuresAreToldIfThePersonWishes() async throws {
        try await notifications.center.setAuthorization(granted: true)
        _ = try await test.library.change([.notify: "failures"])
        let (first, second) = (try makeItem("a"), try makeItem("b"))
        fail(first)
        while bodies.isEmpty { _ = try await changes.next() }
        // A completed download ends the failure.
        messages.post(DownloadCompleted(item: first))
        fail(second)
        while bodies != ["b: Failed: No."] { _ = try await changes.next() }
    }

    @Test(arguments: ["desktop", "page"])
    func theDesktopShowsNothingIfThePersonWishes(_ place: String) async throws {
        let other = try TestLibrary()
        _ = try await other.library.change([.notifyOn: place])
        let desktop = RecordingDesktop()
        let notifications = LibraryNotifications(
            other.library,
            desktop: UserNotificationBackend(desktop)
        )
        let changes = MessageRecorder<UserNotificationListChanged>(on: other.library.messages)
        notifications.start { false }
        try await notifications.center.setAuthorization(granted: true)
        let item = try other.library.journal.insert(try other.request("/a"), title: "a", at: Date())
        other.library.messages.post(DownloadCompleted(item: item))
        while notifications.center.delivered().isEmpty { _ = try await changes.next() }
        let listed = try #require(notifications.center.delivered().first)
        if place == "desktop" { #expect(try await desktop.shown.next().title == "a") }
        let isForPage = notifications.isForPage(listed, isDesktopThere: true)
        #expect(isForPage == (place == "page"))
        await notifications.stop()
        #expect(desktop.shown.messages.count == (place == "desktop" ? 1 : 0))
        await other.library.stop()
    }

    @Test func n23_manyDownloadsMakeOneBubbleAndAreAllListed() async throws {
        let desktop = RecordingDesktop()
        let test = try TestLibrary()
        let notifications = LibraryNotifications(
            test.library,
            desktop: UserNotificationBackend(desktop)
        )
        let changes = MessageRecorder(UserNotificationListChanged.self, on: test.library.messages)
        notifications.start { false }
        try await notifications.center.setAuthorization(granted: true)
        for number in 1...12 {
            let item = try test.library.journal.insert(
                try test.request("/\(number)"),
                title: "Lesson \(number)",
                at: Date()
            )
            test.library.messages.post(DownloadCompleted(item: item))
        }
        while notifications.center.unreadCount() < 12 { _ = try await changes.next() }
        while try await desktop.shown.next().title != "12 downloads are ready" {}
        await notifications.stop()
        let listed = notifications.center.delivered()
        #expect(Set(listed.map(\.content.title)).count == 12)
        #expect(listed.allSatisfy { !notifications.isForPage($0, isDesktopThere: true) })
    }

    @Test func aRefusalIsStoredAndSuppressesNotifications() async throws {
        try await notifications.center.setAuthorization(.denied)
        fail(try makeItem("a"))
        await notifications.stop()
        #expect(bodies.isEmpty)
        let next = LibraryNotifications(test.library)
        #expect(try await next.preference() == .denied)
    }

    @Test func aDeviceThatWaitsCanBeLetInFromItsNotification() async throws {
        try await notifications.center.setAuthorization(granted: true)
        messages.post(DeviceArrived(id: 3, name: "Safari on iPhone", code: "0042"))
        let wanted =
            "Safari on iPhone wants to use your library: "
            + "Let it in if you hold this device and it shows 0042."
        while bodies != [wanted] { _ = try await changes.next() }
        let decisions = MessageRecorder(DeviceDecision.self, on: messages)
        let target = try notifications.respond(to: "device-3", action: "letIn")
        #expect(target.place == .settings && target.item == nil)
        #expect(decisions.messages == [DeviceDecision(id: 3, letIn: true)])
    }

    @Test func theNotificationOfADeviceGoesWhenItIsAnswered() async throws {
        try await notifications.center.setAuthorization(granted: true)
        messages.post(DeviceArrived(id: 3, name: "Safari on iPhone", code: "0042"))
        while bodies.isEmpty { _ = try await changes.next() }
        messages.post(DeviceAnswered(id: 3))
        while !bodies.isEmpty { _ = try await changes.next() }
    }

    @Test func aTapOnAFinishedDownloadNavigatesToTheLibrary() async throws {
        try await notifications.center.setAuthorization(granted: true)
        let item = try makeItem("a")
        messages.post(DownloadCompleted(item: item))
        _ = try await changes.next()
        let responses = MessageRecorder(UserNotificationResponse.self, on: messages)
        let target = try notifications.respond(to: "download-\(item.id)", action: nil)
        #expect(target.place == .library)
        #expect(target.item == item.id)
        #expect(responses.messages.map(\.action) == [.open])
        #expect(throws: UserNotificationError.self) {
            try notifications.respond(to: "download-\(item.id)", action: nil)
        }
    }

    @Test func theRetryActionRetriesTheItem() async throws {
        try await test.origin.serve(["/a": ["status": 404, "text": "no"]])
        try await notifications.center.setAuthorization(granted: true)
        let item = try await test.get("/a")
        _ = try await changes.next()
        let changed = test.library.messages.messages(of: ItemChanged.self).values
        let action = LibraryNotifications.Category.retry
        #expect(
            try notifications.respond(to: "download-\(item.id)", action: action).place == .downloads
        )
        for await change in changed where change.item.state == .queued { break }
        await test.library.stop()
    }

    private func notification(of message: some Message) async throws -> UserNotification {
        try await notifications.center.setAuthorization(granted: true)
        messages.post(message)
        _ = try await changes.next()
        return try #require(notifications.center.delivered().first)
    }

    @Test(arguments: [
        ("video/mp4", ["Play", "Open Library"]), ("audio/mpeg", ["Play", "Open Library"]),
        ("text/plain", ["Open Library"]), ("application/zip", ["Open Library"]),
    ])
    func onlyMediaOfferToPlay(_ type: String, _ actions: [String]) async throws {
        var item = try makeItem("a")
        item.fields.mediaType = type
        let found = try await notification(of: DownloadCompleted(item: item))
        #expect(found.actions.map(\.title) == actions)
        #expect(found.content.sound == .named("complete-download"))
        let id = "download-\(item.id)"
        #expect(try notifications.respond(to: id, action: nil).place == .library)
    }

    @Test(arguments: [
        (DownloadError.Code.connection, ["Retry"]), (.status, ["Retry"]), (.refused, []),
        (.unsupported, []), (.several, []), (.privateAddress, []),
    ])
    func retryIsOfferedWhereItCanHelp(
        _ code: DownloadError.Code,
        _ actions: [String]
    ) async throws {
        let item = try makeItem("a")
        let error = DownloadError(code, "No.")
        let found = try await notification(of: DownloadFailed(item: item, error: error))
        #expect(found.actions.map(\.title) == actions)
        #expect(found.content.sound == .named("dialog-warning"))
        let id = "download-\(item.id)"
        #expect(try notifications.respond(to: id, action: nil).place == .downloads)
    }

    @Test func aRemovedItemRemovesItsNotification() async throws {
        try await notifications.center.setAuthorization(granted: true)
        let item = try makeItem("a")
        fail(item)
        _ = try await changes.next()
        messages.post(ItemRemoved(id: item.id))
        _ = try await changes.next()
        #expect(bodies.isEmpty)
    }

    @Test func n23_aSummaryNamesTheFailures() {
        let notifications = ["a", "b", "c", "d"].enumerated().map { number, title in
            let isFailure = title == "d"
            return UserNotification(
                id: NotificationDelivery(identifier: title, number: number),
                content: UserNotificationContent(
                    title: title,
                    category: isFailure
                        ? LibraryNotifications.Category.failed
                        : LibraryNotifications.Category.complete
                ),
                actions: [
                    UserNotificationAction("play", title: "Play"),
                    UserNotificationAction("library", title: "Open Library"),
                ],
                date: Date(timeIntervalSince1970: 0)
            )
        }
        let mixed = LibraryNotifications.summary(of: notifications)
        #expect(mixed.title == "3 downloads are ready, 1 needs your attention")
        #expect(mixed.body == "d\nc\nb\nand 1 more")
        #expect(mixed.kind == .transferError)
        #expect(mixed.actions?.map(\.title) == ["Open Library"])
        let failed = LibraryNotifications.summary(of: notifications.suffix(1))
        #expect(failed.title == "1 download needs your attention")
        let ready = LibraryNotifications.summary(of: Array(notifications.prefix(3)))
        #expect(ready.title == "3 downloads are ready" && ready.kind == .transferComplete)
    }

    @Test func aSummaryOfOtherMachinesOpensNone() {
        let notifications = ["a", "b"].enumerated().map { number, title in
            var content = UserNotificationContent(
                title: title,
                category: LibraryNotifications.Category.elsewhere
            )
            content.kind = title == "a" ? .transferError : .transferComplete
            return UserNotification(
                id: NotificationDelivery(identifier: title, number: number),
                content: content,
                actions: [UserNotificationAction("library", title: "Open Its Page")],
                date: Date(timeIntervalSince1970: 0)
            )
        }
        let both = LibraryNotifications.summaryElsewhere(of: notifications)
        #expect(both.title == "2 downloads ended on other machines" && both.body == "b\na")
        #expect(both.kind == .transferError && both.actions == [])
        let one = LibraryNotifications.summaryElsewhere(of: notifications.suffix(1))
        #expect(one.title == "1 download ended on another machine")
        #expect(one.kind == .transferComplete)
    }

    @Test func otherMachinesDisplaceTheirOwnNotificationsOnly() {
        let listed = (0..<70).map { number in
            var content = UserNotificationContent(title: "\(number)")
            // Every tenth notification belongs to this machine.
            content.thread = number % 10 == 0 ? nil : LibraryNotifications.elsewhere
            return UserNotification(
                id: NotificationDelivery(identifier: "\(number)", number: number),
                content: content,
                actions: [],
                date: Date(timeIntervalSince1970: 0)
            )
        }
        let removed = LibraryNotifications.surplus(in: listed)
        #expect(removed == (1...15).map(String.init).filter { $0 != "10" })
        #expect(LibraryNotifications.surplus(in: Array(listed.prefix(50))).isEmpty)
    }

    @Test func theStoredDecisionHoldsAfterTheCentersFileIsLost() async throws {
        let other = try TestLibrary()
        let journal = other.library.journal
        try journal.preferences.setPreference(.denied, for: NotificationPreference.key)
        let notifications = LibraryNotifications(other.library)
        #expect(try await notifications.preference() == .denied)
        #expect(try await notifications.center.requestAuthorization() == .denied)
        try await notifications.setPreference(isGranted: true)
        #expect(try journal.preferences.preference(NotificationPreference.key) == .granted)
        #expect(try await notifications.preference() == .granted)
    }

    @Test func stopReturnsBeforeTheDecision() async throws {
        fail(try makeItem("a"))
        await notifications.stop()
        #expect(bodies.isEmpty)
    }

    @Test func responsesToOtherNotificationsAreIgnored() async throws {
        let targets = MessageRecorder(NavigationRequested.self, on: messages)
        let other = UserNotificationInMemoryBackend()
        let center = UserNotificationCenter(
            application: .init(id: "x", name: "x"),
            backend: .inMemory(other),
            messages: messages
        ) { _ in true }
        try await center.requestAuthorization()
        let content = UserNotificationContent(title: "x", userInfo: ["item": "1"])
        _ = await (try center.add(.init(identifier: "x", content: content))).outcome
        try other.respond(to: "x", .open)
        #expect(targets.messages.isEmpty)
    }
}
