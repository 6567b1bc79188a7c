// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

/// A program's center with this backend under it.
@Suite(.timeLimit(.minutes(5))) struct CenterOnDesktopTests {
    private struct Program: Sendable {
        let messages = MessageCenter()
        let center: UserNotificationCenter
        let store: InMemoryNotificationStore
        let backend: DesktopNotificationBackend

        init(_ address: String?, store: InMemoryNotificationStore = .init()) async throws {
            self.store = store
            backend = DesktopNotificationBackend(settings: .init(address: { address }))
            center = UserNotificationCenter(
                application: .init(id: "org.example.Films", name: "Films"),
                backend: backend,
                messages: messages,
                store: store
            ) { _ in .granted }
            center.setCategories([
                NotificationCategory("DONE", actions: [.init("play", title: "Play")])
            ])
            try await center.requestAuthorization()
        }

        func add(_ identifier: String) async throws -> NotificationReceipt {
            try await center.add(
                .init(identifier: identifier, content: .init(title: "Done", category: "DONE"))
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
