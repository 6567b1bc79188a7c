// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

@testable import TidingsDesktop

/// A program that the message bus starts for a response or a launcher.
@Suite(.timeLimit(.minutes(15))) struct ActivationTests {
    private struct Activated: Message, Equatable {
        let token: String?
    }

    private static let name = "org.example.Films"

    private static func makeCenter(
        _ backend: some NotificationBackend,
        _ messages: MessageCenter,
        _ store: InMemoryNotificationStore
    ) -> UserNotificationCenter {
        UserNotificationCenter(
            application: .init(id: name, name: "Films"),
            backend: backend,
            messages: messages,
            store: store,
            clock: ManualNotificationClock()
        ) { _ in .granted }
    }

    /// Delivers notifications in a run that then ends, and returns the targets of *Play* actions.
    private static func endedRun(
        _ store: InMemoryNotificationStore,
        _ identifiers: [String]
    ) async throws -> [[String]] {
        let center = makeCenter(UserNotificationInMemoryBackend(), MessageCenter(), store)
        var content = UserNotificationContent(title: "Ready")
        content.actions = [.init("play", title: "Play")]
        for identifier in identifiers {
            let request = UserNotificationRequest(identifier: identifier, content: content)
            _ = await (try center.add(request)).outcome
        }
        await center.flush()
        let identity = try #require(await store.read().identity)
        return center.delivered().map { notification in
            let activation = NotificationActivation(
                store: identity,
                delivery: notification.id,
                action: .custom("play")
            )
            return activation.target
        }
    }

    private static func call(
        _ desktop: Desktop,
        _ arguments: String,
        isAwaited: Bool = true
    ) async throws -> String {
        let path = ApplicationCall.path(of: name)
        let call =
            "gdbus call --session --timeout 120 --dest \(name) --object-path \(path) --method "
        let end = isAwaited ? "" : " >/dev/null 2>&1 &"
        let command = call + ApplicationCall.interface + "." + arguments + end
        return try await desktop.call("run", ["argv": ["sh", "-c", .string(command)]])["output"]
            .text
    }

    private static func respond(_ target: [String]) -> String {
        let list = target.map { "'\($0)'" }.joined(separator: ",")
        return "ActivateAction tidings-response \"[<[\(list)]>]\" "
            + "\"{'activation-token': <'tok'>}\""
    }

    @Test func n24_aResponseStartsTheProgramAndIsHandedOverOnce() async throws {
        let mark = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: mark) }
        // The monitor ends with the bus. This process plays the program that the bus starts.
        let program = "/bin/sh -c \"echo started > \(mark); exec dbus-monitor > /dev/null\""
        try await Desktop.with(bus: ["service": program, "starts": Self.name]) { desktop in
            let store = InMemoryNotificationStore(.granted)
            let targets = try await Self.endedRun(store, ["a", "b"])
            #expect(!FileManager.default.fileExists(atPath: mark))
            for _ in 0..<2 {
                _ = try await Self.call(desktop, Self.respond(targets[0]), isAwaited: false)
            }
            try await desktop.call(
                "output_is",
                ["argv": ["cat", .string(mark)], "pattern": "started"]
            )
            let messages = MessageCenter()
            let activations = MessageRecorder(Activated.self, on: messages)
            let address = await desktop.address
            let center = Self.makeCenter(
                DesktopNotificationBackend(
                    settings: .init(
                        address: { address },
                        limit: .seconds(120),
                        onActivate: { messages.post(Activated(token: $0)) }
                    )
                ),
                messages,
                store
            )
            // The observer comes after the response.
            #expect(try await Self.call(desktop, Self.respond(targets[0])) == "()\n")
            let responses = MessageRecorder(UserNotificationResponse.self, on: messages)
            let first = try await responses.next()
            #expect(first.notification.identifier == "a" && first.action == .custom("play"))
            #expect(first.activationToken == "tok")
            _ = try await Self.call(desktop, Self.respond(targets[1]))
            #expect(try await responses.next().notification.identifier == "b")
            _ = try await Self.call(desktop, "Activate \"{'desktop-startup-id': <'id'>}\"")
            #expect(try await activations.next() == Activated(token: "id"))
            let refused = try await Self.call(desktop, "ActivateAction delete '@av []' '@a{sv} {}'")
            #expect(refused.contains("Error"))
            #expect(responses.messages.map(\.notification.identifier) == ["a", "b"])
            #expect(center.delivered().isEmpty)
        }
    }

    @Test func n24_withoutAnActivationTheNameStaysFree() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample())
            let client = BusClient()
            try await client.connect(await fixture.desktop.address)
            let reply = try await client.call(
                .bus("NameHasOwner", [.string("org.example.Films")])
            )
            #expect(reply.body == [.bool(false)])
        }
    }

    @Test(arguments: [
        UserNotificationResponse.Action.open, .custom("play"), .reply("answer", "Yes, \"now\""),
    ])
    func n24_aTargetNamesTheResponse(_ action: UserNotificationResponse.Action) {
        let activation = NotificationActivation(
            store: "s",
            delivery: NotificationDelivery(identifier: "a b", number: 1 << 40),
            action: action
        )
        #expect(NotificationActivation(target: activation.target) == activation)
        #expect(NotificationActivation(target: activation.target + ["x"]) == nil)
        #expect(NotificationActivation(target: activation.target.dropLast()) == nil)
    }

    @Test func n24_aMalformedCallIsRefused() {
        let bodies: [(String, String, [BusValue])] = [
            ("Activate", "s", [.string("a")]), ("Quit", "", []),
            ("ActivateAction", "sava{sv}", [.string("x"), .array(of: "v", []), .options([:])]),
            (
                "ActivateAction", "sava{sv}",
                [.string("tidings-response"), .array(of: "v", []), .options([:])]
            ),
            (
                "ActivateAction", "sava{sv}",
                [
                    .string("tidings-response"),
                    .array(of: "v", [.variant(.strings(["s", "a", "one", "open"]))]),
                    .options([:]),
                ]
            ),
        ]
        for (member, signature, body) in bodies {
            let message = BusMessage(
                interface: ApplicationCall.interface,
                member: member,
                signature: signature,
                body: body
            )
            #expect(ApplicationCall(message) == nil)
        }
    }

    @Test func n24_thePortalStartsTheProgramForAResponse() throws {
        let notification = UserNotification.sample(actions: [.init("play", title: "Play")])
        let arguments = PortalArguments(
            notification,
            openTitle: "Open",
            isBodyPlain: true,
            store: "s"
        )
        let options = try #require(arguments.options.asOptions)
        #expect(options["default-action"] == .string("app.tidings-response"))
        #expect(options["default-action-target"] == .strings(["s", "a", "1", "open"]))
        let button = try #require(options["buttons"]?.asArray?.first?.asOptions)
        #expect(button["action"] == .string("app.tidings-response"))
        #expect(button["target"] == .strings(["s", "a", "1", "custom", "play"]))
    }

    @Test func n24_theResponseToASummaryNamesANotificationThatALaterRunKnows() throws {
        let newest = NotificationDelivery(identifier: "newest", number: 7)
        let summary = UserNotification(
            id: NotificationDelivery(identifier: "summary", number: 8),
            activationID: newest,
            content: UserNotificationContent(title: "5 films are ready"),
            date: Date(timeIntervalSince1970: 0)
        )
        let arguments = PortalArguments(
            summary,
            openTitle: "Open",
            isBodyPlain: true,
            store: "s"
        )
        let options = try #require(arguments.options.asOptions)
        #expect(options["default-action-target"] == .strings(["s", "newest", "7", "open"]))
    }
}
