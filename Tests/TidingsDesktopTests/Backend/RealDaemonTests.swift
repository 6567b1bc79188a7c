// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

/// Tests with installed notification daemons and simulated clicks.
@Suite(.timeLimit(.minutes(15)), .serialized) struct RealDaemonTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)
    private static let actions = [
        UserNotificationAction("play", title: "Play"),
        UserNotificationAction("library", title: "Open Library"),
    ]

    @Test(arguments: RealDaemon.allCases)
    func n8_aClickedButtonIsTheOnlyResponse(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            #expect(await fixture.show(.sample(actions: Self.actions)).isAccepted)
            _ = try await fixture.windows(1)
            try await daemon.pressSecondButton(fixture, title: "Play")
            try await fixture.events.wait(for: .responded(a, .custom("play")))
            _ = try await fixture.windows(0)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func aClickOpens(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            await fixture.show(.sample(actions: Self.actions))
            try await daemon.open(fixture)
            try await fixture.events.wait(for: .responded(a, .open))
            _ = try await fixture.windows(0)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    /// A notification with one button that opens the program.
    ///
    /// With a second button of this kind, the last button would be the custom action.
    @Test(arguments: RealDaemon.allCases)
    func oneButtonOpens(_ daemon: RealDaemon) async throws {
        let actions = [
            Self.actions[0],
            UserNotificationAction("library", title: "Open Library", options: .opens),
        ]
        try await daemon.with { fixture in
            await fixture.show(.sample(actions: actions))
            _ = try await fixture.windows(1)
            try await Self.takePicture("one-button", of: daemon, fixture)
            try await daemon.pressLastOfTwoButtons(fixture, title: "Open Library")
            try await fixture.events.wait(for: .responded(a, .open))
            _ = try await fixture.windows(0)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func aDismissedNotificationIsReported(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            await fixture.show(.sample(actions: Self.actions))
            try await daemon.dismiss(fixture)
            try await fixture.events.wait(for: .closed(a, .dismissed))
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func n4_aLaterNotificationReplacesAndCloseRemoves(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            await withTaskGroup { group in
                for number in 1...20 {
                    group.addTask { await fixture.show(.sample("a", number, title: "T\(number)")) }
                }
            }
            await fixture.show(.sample("b", 21))
            _ = try await fixture.windows(daemon.windows(for: 2))
            if daemon == .dunst {
                try await fixture.desktop.call(
                    "output_is",
                    ["argv": ["dunstctl", "count", "displayed"], "pattern": "^2$"]
                )
            }
            await fixture.backend.close("a")
            await fixture.backend.close("b")
            _ = try await fixture.windows(0)
            #expect(fixture.events.aboutNotifications.isEmpty)
        }
    }

    @Test func n6_dunstGetsTheTextUnchanged() async throws {
        try await RealDaemon.dunst.with { fixture in
            let title = "<b>Tom & Jerry</b> &amp; \"all\""
            let body = "1 < 2 & <i>x</i>\nשלום عالم\n🦊 & 'ä'"
            await fixture.show(.sample(title: title, body: body))
            _ = try await fixture.windows(1)
            try await fixture.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await fixture.events.wait(for: .closed(a, .dismissed))
            let history = try await fixture.desktop.call("run", ["argv": ["dunstctl", "history"]])
            let shown = try JSONDecoder().decode(JSON.self, from: Data(history["output"].text.utf8))
            let entry = shown["data"][0][0]
            #expect(entry["summary"]["data"].text == title)
            #expect(entry["body"]["data"].text == Markup.escaped(body))
        }
    }

    @Test func n23_dunstGetsProgressAndTheTimeOnScreen() async throws {
        try await RealDaemon.dunst.with { fixture in
            let result = await fixture.show(
                .sample {
                    $0.progress = 0.25
                    $0.timeOnScreen = .seconds(90)
                }
            )
            guard case .accepted([], _?) = result else {
                Issue.record("\(result)")
                return
            }
            _ = try await fixture.windows(1)
            try await fixture.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await fixture.events.wait(for: .closed(a, .dismissed))
            let history = try await fixture.desktop.call("run", ["argv": ["dunstctl", "history"]])
            let shown = try JSONDecoder().decode(JSON.self, from: Data(history["output"].text.utf8))
            let entry = shown["data"][0][0]
            #expect(entry["progress"]["data"].integer == 25)
            #expect(entry["timeout"]["data"].integer == 90_000_000)
        }
    }

    /// A forged entry for another notification in dunst's menu.
    ///
    /// The forgery is in the title, or in a label with its key.
    @Test(arguments: [true, false])
    func n19_noTextForgesAnEntryOfDunstsMenu(_ isTitle: Bool) async throws {
        try await RealDaemon.dunst.with { fixture in
            await fixture.show(.sample("a", 1, title: "Victim", actions: Self.actions))
            let forgery = "ok\n#Open Library (x) [1,default]\nok"
            let (title, label) = isTitle ? (forgery, "ok") : ("ok", forgery)
            let action = UserNotificationAction("key", title: label)
            await fixture.show(.sample("b", 2, title: title, actions: [action]))
            _ = try await fixture.windows(1)
            try await fixture.desktop.call("choose", ["text": "#Open Library (x) [1,default]"])
            let own = NotificationDelivery(identifier: "b", number: 2)
            try await fixture.events.wait { !$0.filter(\.isResponse).isEmpty }
            let responses = fixture.events.all.filter(\.isResponse)
            #expect(
                [[.responded(own, .open)], [.responded(own, .custom("key"))]].contains(responses)
            )
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func n6_aHugeTextIsAccepted(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            let text = String(repeating: "Lesson & <b>so on</b> ", count: 5000)
            #expect(await fixture.show(.sample("a", 1, title: text, body: text)).isAccepted)
            // The body is as wide as the first, because the click's position may come from the old
            // frame. A click while the window is being drawn can be lost. The notification then
            // expires, and the next number is tried.
            let wide = String(repeating: "Lesson ", count: 10)
            for number in 2...4 {
                let later = UserNotification.sample("a", number, body: wide, actions: Self.actions)
                #expect(await fixture.show(later).isAccepted)
                try await daemon.open(fixture)
                let delivery = NotificationDelivery(identifier: "a", number: number)
                let opened = NotificationBackendEvent.responded(delivery, .open)
                try await fixture.events.wait {
                    $0.contains(opened) || $0.contains(.closed(delivery, .expired))
                }
                if fixture.events.all.contains(opened) { return }
            }
            Issue.record("No click was reported: \(fixture.events.all)")
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func n7_twoProgramsEachGetTheirOwnResponses(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            let other = await BackendFixture(fixture.desktop)
            await fixture.show(.sample("a", 1, actions: Self.actions))
            try await daemon.open(fixture)
            try await fixture.events.wait(for: .responded(a, .open))
            await other.show(.sample("a", 1, actions: Self.actions))
            try await daemon.open(other)
            try await other.events.wait(for: .responded(a, .open))
            // The reply arrives after every earlier signal.
            await fixture.show(.sample("b", 2))
            #expect(fixture.events.aboutNotifications == [.responded(a, .open)])
            #expect(other.events.aboutNotifications == [.responded(a, .open)])
        }
    }

    @Test func n10_aClickAfterARestartReachesTheNewRun() async throws {
        try await RealDaemon.dunst.with { fixture in
            let notification = UserNotification.sample(actions: Self.actions)
            let other = UserNotification.sample("b", 2, title: "Put away meanwhile")
            // `dunstctl close` closes the first visible notification.
            let handles = [
                try #require(await fixture.show(other).handle),
                try #require(await fixture.show(notification).handle),
            ]
            await fixture.leave()
            try await fixture.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await fixture.desktop.call(
                "output_is",
                ["argv": ["dunstctl", "count", "history"], "pattern": "^1$"]
            )
            let later = await BackendFixture(fixture.desktop)
            let kept = await later.backend.restore([
                .init(notification: notification, handle: handles[1]),
                .init(notification: other, handle: handles[0]),
            ])
            #expect(kept == [notification.id: handles[1]])
            try await RealDaemon.dunst.pressSecondButton(later, title: "Play")
            try await later.events.wait(for: .responded(notification.id, .custom("play")))
        }
    }

    /// Restarts, after which the screen, the bubbles and the daemon's history are the same.
    @Test func n10_restartsNeitherRepeatNorMoveDunstsBubbles() async throws {
        try await RealDaemon.dunst.with { fixture in
            let notifications = [
                UserNotification.sample("a", 1, body: "first"),
                UserNotification.sample("b", 2, body: "second") { $0.level = .critical },
                UserNotification.sample("c", 3, body: "third"),
            ]
            var shown: [ShownNotification] = []
            for notification in notifications {
                let handle = try #require(await fixture.show(notification).handle)
                shown.append(.init(notification: notification, handle: handle))
            }
            let before = try await Self.look(fixture)
            await fixture.leave()
            for _ in 1...3 {
                let later = await BackendFixture(fixture.desktop)
                let kept = await later.backend.restore(shown)
                #expect(
                    kept
                        == Dictionary(
                            uniqueKeysWithValues: shown.map { ($0.notification.id, $0.handle) }
                        )
                )
                #expect(try await Self.look(later) == before)
                #expect(later.events.aboutNotifications.isEmpty)
                await later.leave()
            }
        }
    }

    /// Returns the contents of the screen and of dunst, without the order of time.
    private static func look(_ fixture: BackendFixture) async throws -> [String] {
        let frames = try await fixture.windows(1)
        let path = "\(NSTemporaryDirectory())/tidings-look-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await fixture.desktop.call("shot", ["path": .string(path)])
        var look = ["\(frames)"]
        for command in [
            ["identify", "-format", "%#", path], ["dunstctl", "count"],
        ] {
            let argv = JSON.array(command.map(JSON.string))
            look.append(try await fixture.desktop.call("run", ["argv": argv])["output"].text)
        }
        return look
    }

    @Test(arguments: [RealDaemon.xfce, .lxqt])
    func n10_aBroadcastingDaemonNotifiesTheNewRun(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            let notification = UserNotification.sample(actions: Self.actions)
            let handle = try #require(await fixture.show(notification).handle)
            _ = try await fixture.windows(1)
            await fixture.leave()
            let later = await BackendFixture(fixture.desktop)
            let shown = ShownNotification(notification: notification, handle: handle)
            #expect(await later.backend.restore([shown]) == [notification.id: handle])
            try await daemon.pressSecondButton(later, title: "Play")
            try await later.events.wait(for: .responded(notification.id, .custom("play")))
        }
    }

    @Test func n9_aKilledDunstIsReplacedByTheNext() async throws {
        try await RealDaemon.dunst.with { fixture in
            await fixture.show(.sample("a", 1))
            try await fixture.desktop.call("end", ["what": "daemon"])
            try await fixture.events.wait(for: .closed(a, .unknown))
            try await fixture.desktop.call("daemon", ["daemon": "dunst"])
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
            try await RealDaemon.dunst.open(fixture)
            try await fixture.events.wait(
                for: .responded(NotificationDelivery(identifier: "a", number: 2), .open)
            )
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func theScreenshotOfTheDocumentationIsTaken(_ daemon: RealDaemon) async throws {
        try await daemon.with { fixture in
            let image = try Self.poster()
            await fixture.show(
                .sample(
                    "a",
                    1,
                    title: "Download complete",
                    body: "Tom & Jerry <3 is in your library.",
                    actions: Self.actions
                ) {
                    $0.attachments = [.image(image)]
                    $0.kind = .transferComplete
                }
            )
            await fixture.show(
                .sample(
                    "b",
                    2,
                    title: "Download failed",
                    body: "The server said “404”.\nשלום עולם",
                    actions: [.init("retry", title: "Retry")]
                ) {
                    $0.level = .critical
                    $0.kind = .transferError
                }
            )
            let windows = try await fixture.windows(daemon.windows(for: 2))
            #expect(!windows.isEmpty)
            try await Self.takePicture("two", of: daemon, fixture)
        }
    }

    /// Takes a picture of the screen, which is kept if the environment names a folder for pictures.
    private static func takePicture(
        _ name: String,
        of daemon: RealDaemon,
        _ fixture: BackendFixture
    ) async throws {
        let wanted = ProcessInfo.processInfo.environment["TIDINGS_SCREENSHOTS"]
        let path =
            "\(wanted ?? NSTemporaryDirectory())/tidings-\(daemon.rawValue)-\(name)-"
            + "\(ProcessInfo.processInfo.processIdentifier).png"
        defer { if wanted == nil { try? FileManager.default.removeItem(atPath: path) } }
        let shot = try await fixture.desktop.call("shot", ["path": .string(path)])
        #expect(shot["size"].integer > 1500)
    }

    /// Returns a drawing of a sunset.
    private static func poster() throws -> NotificationImage {
        var pixels: [UInt8] = []
        for row in 0..<64 {
            for column in 0..<64 {
                let (x, y) = (Double(column) - 32, Double(row) - 38)
                let isSun = x * x + y * y < 260 && row < 44
                pixels += isSun ? [255, 214, 102] : [UInt8(70 + row * 2), UInt8(60 + row), 120]
            }
        }
        return try NotificationImage(width: 64, height: 64, pixels: pixels)
    }
}
