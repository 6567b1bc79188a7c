// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

/// The timer of the service manager that starts a closed program.
@Suite(.timeLimit(.minutes(15))) struct ProgramTimerTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000.25)

    /// Runs `body` with a backend and a scripted daemon, which may also be the service manager.
    private static func with(
        _ settings: JSON = ["systemd": true],
        onActivate: (@Sendable (String?) -> Void)? = { _ in },
        _ body: @Sendable (BackendFixture) async throws -> Void
    ) async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": settings])
            let fixture = await BackendFixture(desktop, onActivate: onActivate)
            let availability = await fixture.backend.availability()
            #expect(availability.isAvailable)
            try await body(fixture)
        }
    }

    @Test func n24_theSystemGetsATimerThatCallsTheProgram() async throws {
        try await Self.with { fixture in
            #expect(fixture.backend.features.contains(.programStart))
            await fixture.backend.setProgramStart(Self.date)
            let calls = try await fixture.calls("StartTransientUnit", count: 1)
            let arguments = calls[0]["arguments"].elements
            let name = arguments[0].text
            #expect(name.hasPrefix("tidings-") && name.hasSuffix("-1800000001.timer"))
            let text = calls[0]["text"].text
            // The time is in whole seconds, and not before the request is due.
            #expect(text.contains("('OnCalendar', '2027-01-15 08:00:01 UTC')"), "\(text)")
            #expect(text.contains("('AccuracyUSec', <uint64 1000000>)"), "\(text)")
            #expect(text.contains(name.replacing(".timer", with: ".service")), "\(text)")
            let command = """
                ['busctl', '--user', 'call', 'org.example.Films', '/org/example/Films', \
                'org.freedesktop.Application', 'ActivateAction', 'sava{sv}', 'tidings-due', \
                '0', '0']
                """
            #expect(text.contains(command), "\(text)")
        }
    }

    @Test func n24_aChangedTimeReplacesTheTimer() async throws {
        try await Self.with { fixture in
            await fixture.backend.setProgramStart(Self.date)
            // The second date is in the same second.
            await fixture.backend.setProgramStart(Self.date.addingTimeInterval(0.5))
            await fixture.backend.setProgramStart(Self.date.addingTimeInterval(60))
            await fixture.backend.setProgramStart(nil)
            let stopped = try await fixture.calls("StopUnit", count: 2)
            let started = try await fixture.calls("StartTransientUnit", count: 2)
            let names = started.map { $0["arguments"].elements[0].text }
            #expect(stopped.map { $0["arguments"].elements[0].text } == names)
            #expect(names.map { $0.hasSuffix("-1800000061.timer") } == [false, true])
        }
    }

    @Test func n24_twoStoresHaveTimersOfTheirOwn() async throws {
        try await Self.with { fixture in
            await fixture.backend.setProgramStart(Self.date)
            let other = await BackendFixture(fixture.desktop, onActivate: { _ in })
            var program = UserNotificationCenter.Application(id: "org.example.Films", name: "Films")
            program.store = "other"
            other.backend.introduce(program)
            await other.backend.setProgramStart(Self.date)
            let started = try await fixture.calls("StartTransientUnit", count: 2)
            #expect(Set(started.map { $0["arguments"].elements[0].text }).count == 2)
        }
    }

    @Test(arguments: [false, true])
    func n24_withoutTimersOrANameThereIsNoSuchFeature(_ isActivatable: Bool) async throws {
        let settings: JSON = ["systemd": .bool(!isActivatable)]
        let activate: @Sendable (String?) -> Void = { _ in }
        try await Self.with(settings, onActivate: isActivatable ? activate : nil) { fixture in
            #expect(!fixture.backend.features.contains(.programStart))
            await fixture.backend.setProgramStart(Self.date)
            await fixture.show(.sample("a"))
            let calls = try await fixture.command(["do": "calls"])["calls"].elements
            #expect(!calls.contains { $0["method"].text == "StartTransientUnit" })
        }
    }

    @Test func n24_theCallOfTheTimerShowsNothing() {
        let message = BusMessage(
            interface: ApplicationCall.interface,
            member: "ActivateAction",
            signature: "sava{sv}",
            body: [.string("tidings-due"), .array(of: "v", []), .options([:])]
        )
        #expect(ApplicationCall(message) == .deliver)
    }
}
