// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

/// The suite that every backend must pass.
@Suite(.timeLimit(.minutes(5))) struct ContractTests {
    /// Looks at what a scripted daemon shows, and presses what it offers.
    private struct Person: NotificationPerson {
        let stage: Stage

        func seen() async throws -> [NotificationSight] {
            try await stage.tell(["do": "seen"])["seen"].elements.map {
                NotificationSight(title: $0["title"].text, body: $0["body"].text)
            }
        }

        func respond(
            to notification: UserNotification,
            _ action: NotificationResponse.Action
        ) async throws {
            let seen = try await stage.tell(["do": "seen"])["seen"].elements
            let id = seen.first { $0["title"].text == notification.content.title }?["id"] ?? .null
            switch action {
            case .open: try await stage.emit("ActionInvoked", [id, "default"])
            case .custom(let name): try await stage.emit("ActionInvoked", [id, .string(name)])
            case .reply(_, let text):
                try await stage.emit("NotificationReplied", [id, .string(text)])
            case .dismissed: try await stage.emit("NotificationClosed", [id, 2])
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
        try await Stage.with(["capabilities": .array(capabilities)]) { stage in
            let contract = NotificationBackendContract(limit: .seconds(60)) {
                let address = await stage.desktop.address
                let backend = DesktopNotificationBackend(settings: .init(address: { address }))
                // Until it has asked, a backend takes the usual for possible.
                _ = await backend.availability()
                await (backend.route as? DesktopSession)?.wait { $0.daemon?.traits != nil }
                return (backend, Person(stage: stage))
            }
            try await contract.check(attempt)
        }
    }
}
