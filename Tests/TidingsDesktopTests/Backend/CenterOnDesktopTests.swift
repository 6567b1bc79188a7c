// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

/// A program's center with this backend under it.
@Suite(.timeLimit(.minutes(5))) struct CenterOnDesktopTests {
    /// Tells when whatever holds it has gone.
    private final class Sentinel: Sendable {
        let hasGone: Gate

        init(_ hasGone: Gate) { self.hasGone = hasGone }

        deinit { hasGone.open() }
    }

    private final class Count: Sendable {
        private let count = Lock(0)

        var value: Int { count.withLock(\.self) }

        func add() { count.withLock { $0 += 1 } }
    }

    private struct Program: Sendable {
        let messages = MessageCenter()
        let closed: MessageRecorder<NotificationClosed>
        let responses: MessageRecorder<NotificationResponse>
        let center: UserNotificationCenter
        let store: InMemoryNotificationStore
        let backend: DesktopNotificationBackend

        init(
            _ address: String?,
            store: InMemoryNotificationStore = .init(),
            hasEnded: Gate = Gate(),
            clock: any NotificationClock = .system,
            limit: Duration = .seconds(5)
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
                NotificationCategory("DONE", actions: [.init("play", title: "Play")])
            ])
            try await center.requestAuthorization()
        }

        func add(_ identifier: String) async throws -> NotificationReceipt {
            try await center.add(
                .init(identifier: identifier, content: .init(title: identifier, category: "DONE"))
            )
        }
    }

    @Test func aButtonOnTheDesktopIsAMessageInTheProgram() async throws {
        try await RealDaemon.dunst.with { stage in
            let program = try await Program(await stage.desktop.address)
            let recorder = MessageRecorder<NotificationResponse>(on: program.messages)
            let receipt = try await program.add("film-1")
            guard case .accepted = await receipt.outcome else {
                Issue.record("\(await receipt.outcome)")
                return
            }
            try await RealDaemon.dunst.pressSecondButton(stage, title: "Play")
            let response = try await recorder.next()
            #expect(response.action == .custom("play"))
            #expect(response.notification.identifier == "film-1")
            _ = try await stage.windows(0)
        }
    }

    @Test func promise8_whatEndsWithoutAWordIsUnknownWhenTheNextListIsTaken() async throws {
        try await Stage.with(["unknown": "new"]) { stage in
            let (store, hasEnded) = (InMemoryNotificationStore(), Gate())
            try await Self.run(on: stage, store, hasEnded, ["film-1", "film-2", "film-3"])
            try await hasEnded.wait()
            try await stage.tell(["do": "forget", "id": 2])
            let program = try await Program(await stage.desktop.address, store: store)
            program.center.start()
            let closed = try await program.closed.next()
            #expect(closed.notification.identifier == "film-2")
            #expect(closed.reason == .unknown)
            // It came up again to find that out, and went at once.
            let closes = try await stage.calls("CloseNotification", count: 1)
            #expect(closes.map { $0["arguments"][0].integer } == [4])
            let seen = try await stage.tell(["do": "seen"])["seen"].elements
            #expect(seen.map { $0["title"].text } == ["film-1", "film-3"])
            try await stage.emit("ActionInvoked", [3, "play"])
            #expect(try await program.responses.next().notification.identifier == "film-3")
            // Nor does a daemon that goes say what became of the rest.
            try await stage.desktop.call("end", ["what": "fake"])
            let last = try await program.closed.next()
            #expect(last.notification.identifier == "film-1")
            #expect(last.reason == .unknown)
        }
    }

    /// A run of a program that shows some notifications and ends.
    private static func run(
        on stage: Stage,
        _ store: InMemoryNotificationStore,
        _ hasEnded: Gate,
        _ identifiers: [String]
    ) async throws {
        let address = await stage.desktop.address
        let program = try await Program(address, store: store, hasEnded: hasEnded)
        for identifier in identifiers {
            guard case .accepted = await (try await program.add(identifier)).outcome else {
                Issue.record("\(identifier) was not accepted")
                continue
            }
        }
        await program.center.flush()
    }

    @Test func promise5_addNeverWaitsForAStoppedDaemonAndItsOutcomeIsTimedOut() async throws {
        try await Stage.with { stage in
            let program = try await Program(await stage.desktop.address)
            _ = await (try await program.add("first")).outcome
            try await stage.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            let start = ContinuousClock.now
            var receipts: [NotificationReceipt] = []
            for number in 0..<100 { receipts.append(try await program.add("film-\(number)")) }
            let spent = ContinuousClock.now - start
            for receipt in receipts {
                let outcome = await receipt.outcome
                #expect(outcome == .timedOut)
            }
            // A hundred that each waited for the limit would take over eight minutes.
            #expect(spent < .seconds(60))
        }
    }

    @Test func promise3_aThousandRequestsDoNotWaitForADunstThatIsStopped() async throws {
        try await RealDaemon.dunst.with { stage in
            let clock = ManualNotificationClock()
            let program = try await Program(
                await stage.desktop.address,
                clock: clock,
                limit: .seconds(600)
            )
            guard case .accepted = await (try await program.add("first")).outcome else {
                Issue.record("not accepted")
                return
            }
            try await stage.desktop.call("kill", ["what": "daemon", "signal": "STOP"])
            let receipts = try await within(.seconds(60)) {
                var receipts: [NotificationReceipt] = []
                for number in 0..<1000 { receipts.append(try await program.add("film-\(number)")) }
                return receipts
            }
            let outcomes = Count()
            let tasks = receipts.map { receipt in
                Task { [receipt, outcomes] in
                    let outcome = await receipt.outcome
                    outcomes.add()
                    return outcome
                }
            }
            // Nothing but this clock ends the wait for a daemon that is still stopped.
            #expect(outcomes.value == 0)
            clock.advance(by: .seconds(5))
            for task in tasks { #expect(await task.value == .timedOut) }
            #expect(program.center.delivered().count == 1001)
        }
    }

    @Test func promise2_withoutADaemonTheProgramsOwnListHasItAll() async throws {
        try await Stage.with(nil) { stage in
            let program = try await Program(await stage.desktop.address)
            guard case .unavailable = await (try await program.add("film-1")).outcome else {
                Issue.record("not unavailable")
                return
            }
            #expect(program.center.delivered().map(\.identifier) == ["film-1"])
        }
    }

    @Test func promise2_withoutABusTheProgramWorksOn() async throws {
        let program = try await Program(nil)
        guard case .unavailable = await (try await program.add("film-1")).outcome else {
            Issue.record("not unavailable")
            return
        }
        #expect(program.center.delivered().map(\.identifier) == ["film-1"])
    }
}
