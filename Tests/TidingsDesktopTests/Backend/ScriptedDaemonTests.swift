// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct ScriptedDaemonTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    @Test func theCallHasTheTypesOfTheSpecification() async throws {
        try await BackendFixture.with { fixture in
            let notification = UserNotification.sample(
                title: "T",
                body: "B",
                actions: [.init("play", title: "Play")]
            ) { $0.level = .critical }
            #expect(await fixture.show(notification).isAccepted)
            let text = try await fixture.calls("Notify", count: 1)[0]["text"].text
            #expect(
                text == """
                    ('Films', uint32 0, 'org.example.Films', 'T', 'B', \
                    ['default', 'Open', 'play', 'Play'], \
                    {'desktop-entry': <'org.example.Films'>, 'suppress-sound': <true>, \
                    'urgency': <byte 0x02>}, -1)
                    """
            )
        }
    }

    @Test func n4_aThousandRacingPostsOfOneIdentifierShowOneNotification() async throws {
        try await BackendFixture.with { fixture in
            await withTaskGroup { group in
                for number in 1...1000 {
                    group.addTask { await fixture.show(.sample("a", number)) }
                }
            }
            await fixture.show(.sample("a", 1001))
            let calls = try await fixture.command(["do": "calls"])["calls"].elements
            var visible: Set<Int> = []
            var lastID = 0
            for call in calls where call["method"].text == "Notify" {
                let replaced = call["arguments"][1].integer
                if replaced == 0 { lastID += 1 }
                visible.insert(replaced == 0 ? lastID : replaced)
            }
            #expect(visible.count == 1)
        }
    }

    @Test func n5_aStoppedDaemonCostsTheLimitAndShowsTheNotificationLater() async throws {
        try await BackendFixture.with(limit: .seconds(30)) { fixture in
            #expect(await fixture.show(.sample("a", 1)).isAccepted)
            try await fixture.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            // Without the limit, neither call would return.
            #expect(await fixture.show(.sample("b", 2)).isUnavailable)
            #expect(await fixture.show(.sample("b", 3)).isUnavailable)
            try await fixture.desktop.call("kill", ["what": "fake", "signal": "CONT"])
            // The third post replaces the second post, whose ID arrived after the timeout.
            let calls = try await fixture.calls("Notify", count: 3)
            #expect(calls.map { $0["arguments"][1].integer } == [0, 0, 2])
        }
    }

    @Test func aDaemonStoppedBeforeItsDescriptionCostsTheLimit() async throws {
        let settings: JSON = ["GetCapabilities": "silent"]
        try await BackendFixture.with(settings, limit: .seconds(30)) { fixture in
            #expect(await fixture.show(.sample()).isUnavailable)
            try await fixture.command(["do": "set", "settings": ["GetCapabilities": "answer"]])
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func n7_signalsOfOthersAndAboutOthersDoNotCount() async throws {
        try await BackendFixture.with(["last_id": 6]) { fixture in
            await fixture.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await fixture.calls("Notify", count: 1)[0]["sender"]
            for receiver in [.null, us] {
                try await fixture.emit("ActionInvoked", [7, "play"], to: receiver, stranger: true)
                try await fixture.emit("NotificationClosed", [7, 2], to: receiver, stranger: true)
            }
            try await fixture.emit("ActionInvoked", [8, "default"])
            try await fixture.emit("NotificationClosed", [6, 2])
            try await fixture.emit("ActionInvoked", [7, "other"])
            try await fixture.emit("ActionInvoked", [7, "default"])
            try await fixture.events.wait(for: .responded(a, .open))
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n8_theFirstResponseClosesTheNotification() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample("a", 1, actions: [.init("play", title: "Play")]))
            await fixture.show(.sample("b", 2))
            try await fixture.emit("ActivationToken", [1, "token-1"])
            try await fixture.emit("ActionInvoked", [1, "play"])
            try await fixture.emit("ActionInvoked", [1, "default"])
            try await fixture.emit("NotificationClosed", [1, 2])
            try await fixture.emit("NotificationClosed", [2, 1])
            let last = NotificationDelivery(identifier: "b", number: 2)
            try await fixture.events.wait(for: .closed(last, .expired))
            #expect(
                fixture.events.aboutNotifications == [
                    .responded(a, .custom("play"), activationToken: "token-1"),
                    .closed(last, .expired),
                ]
            )
            let closes = try await fixture.calls("CloseNotification", count: 1)
            #expect(closes.map { $0["arguments"][0].integer } == [1])
        }
    }

    @Test func aTextReplyComesBack() async throws {
        try await BackendFixture.with(["capabilities": ["actions", "inline-reply"]]) { fixture in
            let action = UserNotificationAction("answer", title: "Answer", textInput: .init())
            await fixture.show(.sample(actions: [action]))
            try await fixture.emit("NotificationReplied", [1, "Ja & nein\n🦊"])
            try await fixture.events.wait(for: .responded(a, .reply("answer", "Ja & nein\n🦊")))
            #expect(fixture.backend.features.contains(.textReply))
        }
    }

    @Test func n9_aRestartedDaemonIsUsedWithoutItsOldIDs() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample("a", 1))
            await fixture.show(.sample("b", 2))
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.events.wait(for: .closed(a, .unknown))
            await fixture.backend.close("b")
            try await fixture.desktop.call("fake")
            #expect(await fixture.show(.sample("a", 3)).isAccepted)
            try await fixture.emit("ActionInvoked", [1, "default"])
            try await fixture.events.wait(
                for: .responded(NotificationDelivery(identifier: "a", number: 3), .open)
            )
            let calls = try await fixture.command(["do": "calls"])["calls"].elements
            #expect(calls.count { $0["method"].text == "CloseNotification" } <= 1)
            #expect(try await fixture.calls("Notify", count: 1)[0]["arguments"][1].integer == 0)
        }
    }

    @Test func n9_aDaemonThatExitsBeforeItsReplyIsUnavailable() async throws {
        try await BackendFixture.with(["Notify": "hold"]) { fixture in
            let shown = Task { await fixture.show(.sample()) }
            _ = try await fixture.calls("Notify", count: 1)
            try await fixture.desktop.call("end", ["what": "fake"])
            #expect(await shown.value.isUnavailable)
            #expect(await fixture.backend.availability() != .available)
        }
    }

    @Test func n9_aPendingPostGoesToTheNextDaemonAndTheOldReplyIsVoid() async throws {
        try await BackendFixture.with(["Notify": "hold", "replaceable": true]) { fixture in
            let shown = Task { await fixture.show(.sample(title: "On its way")) }
            _ = try await fixture.calls("Notify", count: 1)
            // The second daemon takes the name from the first daemon, which keeps running and
            // replies without the name.
            try await fixture.desktop.call("fake", ["name": "second", "settings": ["last_id": 40]])
            try await fixture.command(["do": "release"])
            let result = await shown.value
            #expect(result.isAccepted)
            #expect(DaemonHandle(try #require(result.handle))?.id == 41)
            await fixture.backend.close("a")
            await fixture.show(.sample("b", 2))
            let old = try await fixture.command(["do": "calls"])["calls"].elements
            #expect(!old.contains { $0["method"].text == "CloseNotification" })
        }
    }

    @Test func n9_aTimedOutPostIsNotShownByTheNextDaemon() async throws {
        try await BackendFixture.with(["Notify": "silent"], limit: .seconds(30)) { fixture in
            #expect(await fixture.show(.sample(title: "Too late")).isUnavailable)
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.desktop.call("fake", ["name": "second"])
            #expect(await fixture.show(.sample("b", 2, title: "After it")).isAccepted)
            let calls = try await fixture.desktop.call(
                "tell",
                ["name": "second", "command": ["do": "calls"]]
            )["calls"].elements
            let titles = calls.filter { $0["method"].text == "Notify" }
                .map { $0["arguments"][3].text }
            #expect(titles == ["After it"])
        }
    }

    @Test func n14_aRefusalIsAResult() async throws {
        let error = "error org.freedesktop.Notifications.Error.ExcessNotificationGeneration no"
        try await BackendFixture.with(["Notify": .string(error)]) { fixture in
            #expect(await fixture.show(.sample()).isRefused)
            try await fixture.command(["do": "set", "settings": ["Notify": "answer"]])
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func aCloseDuringASlowReplyIsNotLost() async throws {
        try await BackendFixture.with(["Notify": "hold"]) { fixture in
            let shown = Task { await fixture.show(.sample()) }
            _ = try await fixture.calls("Notify", count: 1)
            await fixture.backend.close("a")
            try await fixture.command(["do": "release"])
            #expect(await shown.value.isAccepted)
            let closes = try await fixture.calls("CloseNotification", count: 1)
            #expect(closes[0]["arguments"][0].integer == 1)
        }
    }

    @Test(arguments: ["org.example.Films", "name with spaces/ä"])
    func n17_theBadgeIsANumberAndZeroClearsIt(_ id: String) async throws {
        try await BackendFixture.with { fixture in
            fixture.backend.introduce(.init(id: id, name: "Films"))
            _ = await fixture.backend.availability()
            await fixture.backend.setBadge(7)
            await fixture.backend.setBadge(0)
            await fixture.backend.setBadge(-3)
            let updates = try await fixture.calls("Update", count: 3).map { $0["text"].text }
            func text(_ count: Int) -> String {
                "('application://\(id).desktop', {'count': <int64 \(count)>, "
                    + "'count-visible': <\(count > 0)>})"
            }
            #expect(updates == [text(7), text(0), text(0)])
        }
    }

    @Test func n17_aBadgeSetBeforeTheConnectionIsShownAfterIt() async throws {
        try await BackendFixture.with { fixture in
            let early = await BackendFixture(fixture.desktop)
            await early.backend.setBadge(7)
            let updates = try await fixture.calls("Update", count: 1)
            #expect(updates.first?["text"].text.contains("'count': <int64 7>") == true)
        }
    }

    @Test func n19_aHugeTextCostsOnlyItsOwnNotification() async throws {
        try await BackendFixture.with { fixture in
            _ = await fixture.backend.availability()
            await fixture.show(.sample("a", 1))
            let text = String(repeating: "Lesson ", count: 20_000_000)
            let cut = await fixture.show(.sample("b", 2, title: text, body: text))
            #expect(cut == .accepted(degraded: .longText, handle: cut.handle))
            // The sum of many long labels is more than the bus accepts.
            let label = String(text.prefix(100_000))
            let actions = (0..<200).map { UserNotificationAction("\($0)", title: label) }
            #expect(await fixture.show(.sample("c", 3, actions: actions)).isRefused)
            let name = String(text.prefix(20_000_000))
            #expect(await fixture.show(.sample(name, 4)).isAccepted)
            #expect(await fixture.show(.sample("d", 5)).isAccepted)
            _ = try await fixture.calls("Notify", count: 4)
            #expect(fixture.events.aboutNotifications.isEmpty)
        }
    }

    @Test func n22_aListedNotificationDrawsNoBubble() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample("a", 1))
            let listed = UserNotification.sample("a", 2, presentation: [.list, .sound]) {
                $0.sound = .default
            }
            let result = await fixture.show(listed)
            #expect(result == .accepted(degraded: [.list, .sound]))
            _ = try await fixture.calls("CloseNotification", count: 1)
            await fixture.show(.sample("b", 3))
            #expect(try await fixture.calls("Notify", count: 2).count == 2)
        }
    }

    @Test func n6_extremeTextsArriveReadable() async throws {
        try await BackendFixture.with { fixture in
            let texts = [
                "a\u{0}b", String(repeating: "ä", count: 50_000), "\u{202E}שלום",
                "👩‍👩‍👧\u{FFFD}", String(Unicode.Scalar(0xFFFF) ?? " "), "",
            ]
            for (number, text) in texts.enumerated() {
                #expect(
                    await fixture.show(.sample("\(number)", 1, title: text, body: text)).isAccepted
                )
            }
            let calls = try await fixture.calls("Notify", count: texts.count)
            #expect(calls.map { $0["arguments"][3].text } == texts.map(BusText.readable))
        }
    }
}
