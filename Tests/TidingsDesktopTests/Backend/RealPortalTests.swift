// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

/// Tests with an installed portal, which passes notifications to dunst.
@Suite(.timeLimit(.minutes(15)), .serialized) struct RealPortalTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    private func withPortal(_ body: @Sendable (BackendFixture) async throws -> Void) async throws {
        try await RealDaemon.dunst.with { fixture in
            try await fixture.desktop.call("portal")
            try await body(await BackendFixture(fixture.desktop, isSandboxed: true))
        }
    }

    /// A body with markup characters, which the portal's first version passes on as markup.
    @Test func n6_theDaemonBehindThePortalGetsNoMarkup() async throws {
        try await withPortal { fixture in
            let body = "<b>b</b> & <i>c\n&amp; d"
            #expect(await fixture.show(.sample(title: "<b>T</b>", body: body)).degraded == .body)
            _ = try await fixture.windows(1)
            try await fixture.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await fixture.desktop.call(
                "output_is",
                ["argv": ["dunstctl", "count", "history"], "pattern": "^1$"]
            )
            let history = try await fixture.desktop.call("run", ["argv": ["dunstctl", "history"]])
            let shown = try JSONDecoder().decode(JSON.self, from: Data(history["output"].text.utf8))
            let entry = shown["data"][0][0]
            #expect(entry["summary"]["data"].text == "<b>T</b>")
            #expect(entry["body"]["data"].text == "＜b>b＜/b> ＆ ＜i>c\n＆amp; d")
        }
    }

    @Test func n8_aButtonBehindThePortalIsTheOnlyResponse() async throws {
        try await withPortal { fixture in
            let actions = [UserNotificationAction("play", title: "Play")]
            #expect(await fixture.show(.sample(actions: actions)).isAccepted)
            _ = try await fixture.windows(1)
            try await fixture.desktop.call("choose", ["text": "Play"])
            try await fixture.events.wait(for: .responded(a, .custom("play")))
            // The reply arrives after every earlier signal.
            await fixture.show(.sample("b", 2))
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n4_aLaterNotificationBehindThePortalReplacesAndCloseRemoves() async throws {
        try await withPortal { fixture in
            // The portal's backend replaces only notifications that the daemon has already shown.
            for number in 1...3 {
                await fixture.show(.sample("a", number, title: "T\(number)"))
                _ = try await fixture.windows(1)
                try await fixture.desktop.call(
                    "output_is",
                    ["argv": ["dunstctl", "count", "displayed"], "pattern": "^1$"]
                )
            }
            await fixture.backend.close("a")
            _ = try await fixture.windows(0)
        }
    }

    @Test func n22_theStatusFollowsThePortal() async throws {
        try await withPortal { fixture in
            let messages = MessageCenter()
            let changes = MessageRecorder(UserNotificationAuthorizationChanged.self, on: messages)
            let address = await fixture.desktop.address
            let backend = DesktopNotificationBackend(
                settings: .init(address: { address }),
                isSandboxed: true
            )
            let center = UserNotificationCenter(
                application: .init(id: "org.example.Films", name: "Films"),
                backend: UserNotificationBackend(backend),
                messages: messages
            ) { _ in true }
            #expect(try await center.requestAuthorization() == .authorized)
            let receipt = try await center.add(
                .init(identifier: "a", content: .init(title: "Title"))
            )
            guard case .accepted = await receipt.outcome else {
                Issue.record("It was not accepted.")
                return
            }
            try await fixture.desktop.call("end", ["what": "portal"])
            while try await center.settings().status != .unavailable {
                _ = try await changes.next()
            }
            try await fixture.desktop.call("portal")
            while try await center.settings().status != .authorized {
                _ = try await changes.next()
            }
        }
    }
}
