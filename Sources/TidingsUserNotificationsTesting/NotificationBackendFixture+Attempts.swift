// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsUserNotifications

extension NotificationBackendFixture {
    func anIdentifierIsSeenOnce() async throws {
        guard backend.features.contains(.replacement) else { return }
        for number in 1...3 {
            try await show(notification("one", number, content: .init(title: "Number \(number)")))
        }
        try await show(notification("two", 4, content: .init(title: "Another")))
        try await expectSeen(["Number 3", "Another"])
    }

    func whatIsGivenIsWhatIsRead() async throws {
        let texts = [
            "a & b < c > d \"e\" 'f' &amp;", "<b>not bold</b>", "🎬👩‍👩‍👧‍👦", "שלום עולם",
            "Ünïcödé – „quoted“",
        ]
        for (number, text) in texts.enumerated() {
            try await show(
                notification("text", number + 1, content: .init(title: text, body: text))
            )
            let hasBody = backend.features.contains(.body)
            try await expectSeen("“\(text)”") { seen in
                seen.contains { $0.title == text && (!hasBody || $0.body == text || $0.body == "") }
            }
            await backend.close("text")
            try await expectSeen([])
        }
    }

    func whatIsLeftOutIsNamed() async throws {
        let plain = try await show(notification("plain", 1, content: .init(title: "Plain")))
            .degraded
        guard plain.isEmpty else { throw broken("A title alone was degraded by “\(plain)”.") }
        let image = try NotificationImage(width: 1, height: 1, pixels: [255, 0, 0])
        var content = UserNotificationContent(
            title: "Everything",
            subtitle: "A line",
            body: "A text",
            picture: .image(image),
            sound: .default,
            thread: "thread",
            level: .passive,
            kind: .transferComplete
        )
        content.progress = 0.5
        content.timeOnScreen = .seconds(60)
        let actions = [
            UserNotificationAction("a", title: "A", options: .destructive),
            UserNotificationAction("b", title: "B", textInput: .init()),
        ]
        let full = notification("full", 2, content: content, actions: actions)
        let degraded = try await show(full).degraded
        let needed = full.neededFeatures
        let missing = needed.subtracting(backend.features)
        guard degraded.isSuperset(of: missing), degraded.isSubset(of: needed) else {
            throw broken("Reported “\(degraded)” as degraded, not “\(missing)” of “\(needed)”.")
        }
    }

    func whatThePersonDoesComesBack() async throws {
        guard backend.features.contains(.responses) else { return }
        var wanted: [UserNotificationResponse.Action] = [.open]
        var actions: [UserNotificationAction] = []
        if backend.features.contains(.actions) {
            actions.append(UserNotificationAction("play", title: "Play"))
            wanted.append(.custom("play"))
        }
        if backend.features.contains(.textReply) {
            actions.append(UserNotificationAction("answer", title: "Answer", textInput: .init()))
            wanted.append(.reply("answer", "Yes & no"))
        }
        for (number, action) in wanted.enumerated() {
            let old = notification(
                "same",
                number * 2 + 1,
                content: .init(title: "Old"),
                actions: actions
            )
            let new = notification(
                "same",
                number * 2 + 2,
                content: .init(title: "New"),
                actions: actions
            )
            try await show(old)
            try await show(new)
            try await expectSeen(["New"])
            try await person.respond(to: new, action)
            let event = try await next("\(action)") { event in
                if case .responded = event { true } else { false }
            }
            guard case .responded(new.id, action, _) = event else {
                throw broken("\(action) with \(new.id) was reported as \(event).")
            }
            await backend.close("same")
            try await expectSeen([])
        }
    }

    func whatIsPutAwayIsTold() async throws {
        guard backend.features.isSuperset(of: [.responses, .closeReasons]) else { return }
        let shown = notification("away", 1, content: .init(title: "Away"))
        try await show(shown)
        try await expectSeen(["Away"])
        try await person.respond(to: shown, .dismissed)
        _ = try await next("The dismissal of \(shown.id)") { event in
            switch event {
            case .closed(shown.id, .dismissed), .responded(shown.id, .dismissed, _): true
            case .closed, .responded, .activated, .availabilityChanged: false
            }
        }
        try await expectSeen([])
    }

    func whatIsClosedIsGone() async throws {
        await backend.close("nobody")
        for number in 1...2 {
            try await show(
                notification("closed", number, content: .init(title: "Closed \(number)"))
            )
            try await show(notification("other", number, content: .init(title: "Other")))
            await backend.close("closed")
            await backend.close("closed")
            try await expectSeen(["Other"])
        }
    }

    func aLaterRunTakesOver(
        _ make: () async throws -> (any NotificationBackend, any NotificationPerson)
    ) async throws {
        let left = notification("left", 1, content: .init(title: "Left"))
        guard let handle = try await show(left).handle else { return }
        try await expectSeen(["Left"])
        let gone = notification("gone", 2, content: .init(title: "Gone"))
        let later = try await make()
        let next = with(later.0, later.1)
        let handles = await later.0.restore([
            ShownNotification(notification: left, handle: handle),
            ShownNotification(notification: gone, handle: NotificationHandle("nonsense")),
        ])
        guard Array(handles.keys) == [left.id] else {
            throw broken("Only “left” is still visible, but these were restored: \(handles.keys).")
        }
        try await next.expectSeen(["Left"])
        guard later.0.features.contains(.responses) else { return }
        try await later.1.respond(to: left, .open)
        _ = try await next.next("The tap on a notification of an earlier run") { event in
            if case .responded(left.id, .open, _) = event { true } else { false }
        }
    }

    func theBadgeIsSetAndCleared() async throws {
        for count in [3, 0, 0, 1_000_000, 0] { await backend.setBadge(count) }
        try await show(notification("after", 1, content: .init(title: "After")))
        try await expectSeen(["After"])
    }
}
