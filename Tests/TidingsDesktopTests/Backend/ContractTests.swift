// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications
import TidingsUserNotificationsTesting

@testable import TidingsDesktop

/// Runs the suite that every backend must pass.
@Suite(.timeLimit(.minutes(15))) struct ContractTests {
    /// Reads the visible notifications of a scripted daemon, and responds to notifications.
    private struct Person: NotificationPerson {
        let fixture: BackendFixture

        func seen() async throws -> [NotificationSight] {
            try await fixture.command(["do": "seen"])["seen"].elements.map {
                NotificationSight(title: $0["title"].text, body: $0["body"].text)
            }
        }

        func respond(
            to notification: UserNotification,
            _ action: UserNotificationResponse.Action
        ) async throws {
            let seen = try await fixture.command(["do": "seen"])["seen"].elements
            let id = seen.first { $0["title"].text == notification.content.title }?["id"] ?? .null
            switch action {
            case .open: try await fixture.emit("ActionInvoked", [id, "default"])
            case .custom(let name): try await fixture.emit("ActionInvoked", [id, .string(name)])
            case .reply(_, let text):
                try await fixture.emit("NotificationReplied", [id, .string(text)])
            case .dismissed: try await fixture.emit("NotificationClosed", [id, 2])
            @unknown default: break
            }
        }
    }

    @Test(
        arguments: NotificationBackendContract.attempts,
        [
            ["body", "actions"], [],
            ["body", "actions", "body-markup", "sound", "inline-reply", "icon-static"],
        ] as [[JSON]]
    )
    func theDesktopKeepsTheContract(
        _ attempt: NotificationBackendContract.Attempt,
        _ capabilities: [JSON]
    ) async throws {
        try await BackendFixture.with(["capabilities": .array(capabilities)]) { fixture in
            let contract = NotificationBackendContract(limit: .seconds(60)) {
                let address = await fixture.desktop.address
                let backend = DesktopNotificationBackend(
                    settings: .init(address: { address }, limit: .seconds(120))
                )
                // A backend reports default features until the daemon has described the real ones.
                _ = await backend.availability()
                await (backend.session as? DesktopSession)?.wait { $0.daemon?.capabilities != nil }
                return (backend, Person(fixture: fixture))
            }
            try await contract.check(attempt)
        }
    }
}
