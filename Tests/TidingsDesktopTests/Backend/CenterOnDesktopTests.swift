// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

@testable import TidingsDesktop

/// Tests of a user notification center that uses this backend.
@Suite(.timeLimit(.minutes(15))) struct CenterOnDesktopTests {
    /// Opens a gate when the last reference is released.
    private final class Sentinel: Sendable {
        let isReleased: Gate

        init(_ isReleased: Gate) { self.isReleased = isReleased }

        deinit { isReleased.open() }
    }

    private final class Counter: Sendable {
        private let count = Lock(0)

        var value: Int { count.withLock(\.self) }

        func add() { count.withLock { $0 += 1 } }
    }

    private struct Program: Sendable {
        let messages = MessageCenter()
        let closed: MessageRecorder<UserNotificationClosed>
        let responses: MessageRecorder<UserNotificationResponse>
        let center: UserNotificationCenter
        let store: InMemoryNotificationStore
        let backend: DesktopNotificationBackend

        init(
            _ address: String?,
            store: InMemoryNotificationStore = .init(),
            hasEnded: Gate = Gate(),
            clock: any NotificationClock = ManualNotificationClock(),
            limit: Duration = .seconds(120)
        ) async throws {
            self.store = store
            closed = MessageRecorder(on: messages)
            responses = MessageRecorder(on: messages)
            let sentinel = Sentinel(hasEnded)
            backend = DesktopNotificationBackend(
                settings: .init(address: { address }, limit: limit)
            )
            center = UserNotificationCenter(
                application: .init(id: "org.example.Films", name: "Films"),
                backend: backend,
                messages: messages,
                store: store,
                limit: 2000,
                clock: clock
            ) { _ in
                withExtendedLifetime(sentinel) { .granted }
            }
            center.setCategories([
                UserNotificationCategory("DONE", actions: [.init("play", title: "Play")])
            ])
            try await center.requestAuthorization()
        }

        func add(
            _ identifier: String,
            title: String? = nil
        ) async throws -> UserNotificationReceipt {
            let content = UserNotificationContent(title: title ?? identifier, category: "DONE")
            return try await center.add(.init(identifier: identifier, content: content))
        }
    }

    @Test func aClickedButtonBecomesAMessageInTheProgram() async throws {
        try await RealDaemon.dunst.with { fixture in
            let program = try await Program(await fixture.desktop.address)
            let recorder = MessageRecorder<UserNotificationResponse>(on: program.messages)
            let receipt = try await program.add("film-1")
            guard case .accepted = await receipt.outcome else {
                Issue.record("\(await receipt.outcome)")
                return
            }
            try await RealDaemon.dunst.pressSecondButton(fixture, title: "Play")
            let response = try await recorder.next()
            #expect(response.action == .custom("play"))
            #expect(response.notification.identifier == "film-1")
            _ = try await fixture.windows(0)
        }
    }

    /// Waits until dunst shows a number of notifications.
    private func dunstShows(_ count: Int, _ fixture: BackendFixture) async throws {
        try await fixture.desktop.call(
            "output_is",
            ["argv": ["dunstctl", "count", "displayed"], "pattern": .string("^\(count)$")]
        )
    }

    @Test func n18_twoLibrariesOfOneProgramKeepTheirBubblesOnDunst() async throws {
        try await RealDaemon.dunst.with { fixture in
            let address = await fixture.desktop.address
            let (one, other) = (try await Program(address), try await Program(address))
            // Dunst stacks bubbles with one text, whatever tags the bubbles have.
            _ = await (try await one.add("item-1", title: "One")).outcome
            _ = await (try await other.add("item-1", title: "Other")).outcome
            try await dunstShows(2, fixture)
            one.center.remove(["item-1"])
            try await dunstShows(1, fixture)
            try await RealDaemon.dunst.pressSecondButton(fixture, title: "Play")
            #expect(try await other.responses.next().action == .custom("play"))
            #expect(one.responses.messages.isEmpty && one.closed.messages.isEmpty)
        }
    }

    @Test func n18_twoProcessesOfOneLibraryShareABubbleOnDunst() async throws {
        try await RealDaemon.dunst.with { fixture in
            let (address, store) = (await fixture.desktop.address, InMemoryNotificationStore())
            for title in ["One", "Other"] {
                let program = try await Program(address, store: store)
                _ = await (try await program.add("item-1", title: title)).outcome
                try await dunstShows(1, fixture)
            }
        }
    }

    @Test func n8_aSilentlyClosedNotificationIsReportedByTheNextRun() async throws {
        try await BackendFixture.with(["unknown": "new"]) { fixture in
            let (store, hasEnded) = (InMemoryNotificationStore(), Gate())
            try await Self.run(on: fixture, store, hasEnded, ["film-1", "film-2", "film-3"])
            try await hasEnded.wait()
            try await fixture.command(["do": "forget", "id": 2])
            let program = try await Program(await fixture.desktop.address, store: store)
            program.center.start()
            let closed = try await program.closed.next()
            #expect(closed.notification.identifier == "film-2")
            #expect(closed.reason == .unknown)
            // The claim showed the notification again under a new ID, which was closed immediately.
            let closes = try await fixture.calls("CloseNotification", count: 1)
            #expect(closes.map { $0["arguments"][0].integer } == [4])
            let seen = try await fixture.command(["do": "seen"])["seen"].elements
            #expect(seen.map { $0["title"].text } == ["film-1", "film-3"])
            try await fixture.emit("ActionInvoked", [3, "play"])
            #expect(try await program.responses.next().notification.identifier == "film-3")
            // A daemon that exits does not report how the notifications were closed.
            try await fixture.desktop.call("end", ["what": "fake"])
            let last = try await program.closed.next()
            #expect(last.notification.identifier == "film-1")
            #expect(last.reason == .unknown)
        }
    }

    /// Runs a program that shows notifications and ends.
    private static func run(
        on fixture: BackendFixture,
        _ store: InMemoryNotificationStore,
        _ hasEnded: Gate,
        _ identifiers: [String]
    ) async throws {
        let address = await fixture.desktop.address
        let program = try await Program(address, store: store, hasEnded: hasEnded)
        for identifier in identifiers {
            guard case .accepted = await (try await program.add(identifier)).outcome else {
                Issue.record("\(identifier) was not accepted")
                continue
            }
        }
        await program.center.flush()
    }

    @Test func n5_addNeverWaitsForAStoppedDaemonAndTimesOut() async throws {
        try await BackendFixture.with { fixture in
            let clock = ManualNotificationClock()
            let program = try await Program(
                await fixture.desktop.address,
                clock: clock,
                limit: .seconds(600)
            )
            _ = await (try await program.add("first")).outcome
            try await fixture.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            // The clock stands, so that a call that waits for the daemon would not return.
            var receipts: [UserNotificationReceipt] = []
            for number in 0..<20 { receipts.append(try await program.add("film-\(number)")) }
            clock.advance(by: .seconds(5))
            for receipt in receipts {
                let outcome = await receipt.outcome
                #expect(outcome == .timedOut)
            }
        }
    }

    @Test func n3_aThousandRequestsDoNotWaitForAStoppedDunst() async throws {
        try await RealDaemon.dunst.with { fixture in
            let clock = ManualNotificationClock()
            let program = try await Program(
                await fixture.desktop.address,
                clock: clock,
                limit: .seconds(600)
            )
            guard case .accepted = await (try await program.add("first")).outcome else {
                Issue.record("not accepted")
                return
            }
            try await fixture.desktop.call("kill", ["what": "daemon", "signal": "STOP"])
            let receipts = try await within(.seconds(600)) {
                var receipts: [UserNotificationReceipt] = []
                for number in 0..<1000 { receipts.append(try await program.add("film-\(number)")) }
                return receipts
            }
            let outcomes = Counter()
            let tasks = receipts.map { receipt in
                Task { [receipt, outcomes] in
                    let outcome = await receipt.outcome
                    outcomes.add()
                    return outcome
                }
            }
            // Only this clock ends the wait for the stopped daemon.
            #expect(outcomes.value == 0)
            clock.advance(by: .seconds(5))
            for task in tasks { #expect(await task.value == .timedOut) }
            #expect(program.center.delivered().count == 1001)
        }
    }

    @Test func n2_withoutADaemonTheProgramsListHasEverything() async throws {
        try await BackendFixture.with(nil) { fixture in
            let program = try await Program(await fixture.desktop.address)
            guard case .unavailable = await (try await program.add("film-1")).outcome else {
                Issue.record("not unavailable")
                return
            }
            #expect(program.center.delivered().map(\.identifier) == ["film-1"])
        }
    }

    @Test func n2_withoutABusTheProgramKeepsWorking() async throws {
        let program = try await Program(nil)
        guard case .unavailable = await (try await program.add("film-1")).outcome else {
            Issue.record("not unavailable")
            return
        }
        #expect(program.center.delivered().map(\.identifier) == ["film-1"])
    }
}
