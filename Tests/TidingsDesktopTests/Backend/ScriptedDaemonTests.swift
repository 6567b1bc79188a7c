// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct ScriptedDaemonTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    @Test func theCallOnTheWireHasTheTypesOfTheSpecification() async throws {
        try await Stage.with { stage in
            let notification = UserNotification.sample(
                title: "T",
                body: "B",
                actions: [.init("play", title: "Play")]
            ) { $0.level = .critical }
            #expect(await stage.show(notification).isAccepted)
            let text = try await stage.calls("Notify", count: 1)[0]["text"].text
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

    @Test func promise4_aThousandRacingPostsOfOneIdentifierAreOneToSee() async throws {
        try await Stage.with { stage in
            await withTaskGroup { group in
                for number in 1...1000 {
                    group.addTask { await stage.show(.sample("a", number)) }
                }
            }
            await stage.show(.sample("a", 1001))
            let calls = try await stage.tell(["do": "calls"])["calls"].elements
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

    @Test func promise5_aStoppedDaemonCostsTheLimitAndShowsItLater() async throws {
        try await Stage.with(limit: .seconds(3)) { stage in
            #expect(await stage.show(.sample("a", 1)).isAccepted)
            try await stage.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            let start = ContinuousClock.now
            #expect(await stage.show(.sample("b", 2)).isUnavailable)
            #expect(await stage.show(.sample("b", 3)).isUnavailable)
            #expect(ContinuousClock.now - start < .seconds(60))
            try await stage.desktop.call("kill", ["what": "fake", "signal": "CONT"])
            // The number of the second, which nobody awaited any more, is the third's.
            let calls = try await stage.calls("Notify", count: 3)
            #expect(calls.map { $0["arguments"][1].integer } == [0, 0, 2])
        }
    }

    @Test func aDaemonThatIsStoppedBeforeItIsKnownCostsTheLimit() async throws {
        try await Stage.with(["GetCapabilities": "silent"], limit: .seconds(3)) { stage in
            #expect(await stage.show(.sample()).isUnavailable)
            try await stage.tell(["do": "set", "settings": ["GetCapabilities": "answer"]])
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func promise7_signalsOfOthersAndAboutOthersDoNotCount() async throws {
        try await Stage.with(["last_id": 6]) { stage in
            await stage.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await stage.calls("Notify", count: 1)[0]["sender"]
            for receiver in [.null, us] {
                try await stage.emit("ActionInvoked", [7, "play"], to: receiver, stranger: true)
                try await stage.emit("NotificationClosed", [7, 2], to: receiver, stranger: true)
            }
            try await stage.emit("ActionInvoked", [8, "default"])
            try await stage.emit("NotificationClosed", [6, 2])
            try await stage.emit("ActionInvoked", [7, "other"])
            try await stage.emit("ActionInvoked", [7, "default"])
            try await stage.events.wait(for: .responded(a, .open))
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test func promise8_oneResponseThenWeCloseIt() async throws {
        try await Stage.with { stage in
            await stage.show(.sample("a", 1, actions: [.init("play", title: "Play")]))
            await stage.show(.sample("b", 2))
            try await stage.emit("ActivationToken", [1, "token-1"])
            try await stage.emit("ActionInvoked", [1, "play"])
            try await stage.emit("ActionInvoked", [1, "default"])
            try await stage.emit("NotificationClosed", [1, 2])
            try await stage.emit("NotificationClosed", [2, 1])
            let last = NotificationDelivery(identifier: "b", number: 2)
            try await stage.events.wait(for: .closed(last, .expired))
            #expect(
                stage.events.aboutNotifications == [
                    .responded(a, .custom("play"), activationToken: "token-1"),
                    .closed(last, .expired),
                ]
            )
            let closes = try await stage.calls("CloseNotification", count: 1)
            #expect(closes.map { $0["arguments"][0].integer } == [1])
        }
    }

    @Test func aReplyInWordsComesBack() async throws {
        try await Stage.with(["capabilities": ["actions", "inline-reply"]]) { stage in
            let action = NotificationAction("answer", title: "Answer", textInput: .init())
            await stage.show(.sample(actions: [action]))
            try await stage.emit("NotificationReplied", [1, "Ja & nein\n🦊"])
            try await stage.events.wait(for: .responded(a, .reply("answer", "Ja & nein\n🦊")))
            #expect(stage.backend.features.contains(.textReply))
        }
    }

    @Test func promise9_aDaemonThatRestartsIsUsedAtOnceWithoutItsOldNumbers() async throws {
        try await Stage.with { stage in
            await stage.show(.sample("a", 1))
            await stage.show(.sample("b", 2))
            try await stage.desktop.call("end", ["what": "fake"])
            try await stage.events.wait(for: .closed(a, .unknown))
            await stage.backend.close("b")
            try await stage.desktop.call("fake")
            #expect(await stage.show(.sample("a", 3)).isAccepted)
            try await stage.emit("ActionInvoked", [1, "default"])
            try await stage.events.wait(
                for: .responded(NotificationDelivery(identifier: "a", number: 3), .open)
            )
            let calls = try await stage.tell(["do": "calls"])["calls"].elements
            #expect(calls.count { $0["method"].text == "CloseNotification" } <= 1)
            #expect(try await stage.calls("Notify", count: 1)[0]["arguments"][1].integer == 0)
        }
    }

    @Test func promise9_aDaemonThatDiesWithANotificationIsUnavailable() async throws {
        try await Stage.with(["Notify": "hold"]) { stage in
            let shown = Task { await stage.show(.sample()) }
            _ = try await stage.calls("Notify", count: 1)
            try await stage.desktop.call("end", ["what": "fake"])
            #expect(await shown.value.isUnavailable)
            #expect(await stage.backend.availability() != .available)
        }
    }

    @Test func promise9_whatIsOnItsWayGoesToTheNextDaemonAndTheOldAnswerIsVoid() async throws {
        try await Stage.with(["Notify": "hold", "replaceable": true]) { stage in
            let shown = Task { await stage.show(.sample(title: "On its way")) }
            _ = try await stage.calls("Notify", count: 1)
            // Takes the name from the first, which lives on and answers when it has no name.
            try await stage.desktop.call("fake", ["name": "second", "settings": ["last_id": 40]])
            try await stage.tell(["do": "release"])
            let result = await shown.value
            #expect(result.isAccepted)
            #expect(DaemonHandle(try #require(result.handle))?.id == 41)
            await stage.backend.close("a")
            await stage.show(.sample("b", 2))
            let old = try await stage.tell(["do": "calls"])["calls"].elements
            #expect(!old.contains { $0["method"].text == "CloseNotification" })
        }
    }

    @Test func promise9_whatWasTimedOutIsNotShownByTheNextDaemon() async throws {
        try await Stage.with(["Notify": "silent"], limit: .seconds(8)) { stage in
            #expect(await stage.show(.sample(title: "Too late")).isUnavailable)
            try await stage.desktop.call("end", ["what": "fake"])
            try await stage.desktop.call("fake", ["name": "second"])
            #expect(await stage.show(.sample("b", 2, title: "After it")).isAccepted)
            let calls = try await stage.desktop.call(
                "tell",
                ["name": "second", "command": ["do": "calls"]]
            )["calls"].elements
            let titles = calls.filter { $0["method"].text == "Notify" }
                .map { $0["arguments"][3].text }
            #expect(titles == ["After it"])
        }
    }

    @Test func promise14_aRefusalIsAValue() async throws {
        let error = "error org.freedesktop.Notifications.Error.ExcessNotificationGeneration no"
        try await Stage.with(["Notify": .string(error)]) { stage in
            #expect(await stage.show(.sample()).isRefused)
            try await stage.tell(["do": "set", "settings": ["Notify": "answer"]])
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func aSlowAnswerIsAwaitedAndACloseMeanwhileIsNotLost() async throws {
        try await Stage.with(["Notify": "hold"]) { stage in
            let shown = Task { await stage.show(.sample()) }
            _ = try await stage.calls("Notify", count: 1)
            await stage.backend.close("a")
            try await stage.tell(["do": "release"])
            #expect(await shown.value.isAccepted)
            let closes = try await stage.calls("CloseNotification", count: 1)
            #expect(closes[0]["arguments"][0].integer == 1)
        }
    }

    @Test(arguments: ["org.example.Films", "name with spaces/ä"])
    func promise17_theBadgeIsANumberAndZeroClearsIt(_ id: String) async throws {
        try await Stage.with { stage in
            stage.backend.introduce(.init(id: id, name: "Films"))
            _ = await stage.backend.availability()
            await stage.backend.setBadge(7)
            await stage.backend.setBadge(0)
            await stage.backend.setBadge(-3)
            let updates = try await stage.calls("Update", count: 3).map { $0["text"].text }
            func text(_ count: Int) -> String {
                "('application://\(id).desktop', {'count': <int64 \(count)>, "
                    + "'count-visible': <\(count > 0)>})"
            }
            #expect(updates == [text(7), text(0), text(0)])
        }
    }

    @Test func promise17_aBadgeThatIsSetBeforeTheBusIsThereIsShownOnceItIs() async throws {
        try await Stage.with { stage in
            let early = await Stage(stage.desktop)
            await early.backend.setBadge(7)
            let updates = try await stage.calls("Update", count: 1)
            #expect(updates.first?["text"].text.contains("'count': <int64 7>") == true)
        }
    }

    @Test func promise6_extremeTextsArriveOrAreAnError() async throws {
        try await Stage.with { stage in
            let texts = [
                "a\u{0}b", String(repeating: "ä", count: 50_000), "\u{202E}שלום",
                "👩‍👩‍👧\u{FFFD}", String(Unicode.Scalar(0xFFFF) ?? " "), "",
            ]
            for (number, text) in texts.enumerated() {
                #expect(
                    await stage.show(.sample("\(number)", 1, title: text, body: text)).isAccepted
                )
            }
            let calls = try await stage.calls("Notify", count: texts.count)
            #expect(calls.map { $0["arguments"][3].text } == texts.map(BusText.readable))
        }
    }
}
