// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

/// What a person sees and does, with the programs that people have.
@Suite(.timeLimit(.minutes(5)), .serialized) struct RealDaemonTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)
    private static let actions = [
        NotificationAction("play", title: "Play"),
        NotificationAction("library", title: "Open Library"),
    ]

    @Test(arguments: RealDaemon.allCases)
    func promise8_aButtonThatIsPressedIsTheOneResponse(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            #expect(await stage.show(.sample(actions: Self.actions)).isAccepted)
            _ = try await stage.windows(1)
            try await daemon.pressSecondButton(stage, title: "Play")
            try await stage.events.wait(for: .responded(a, .custom("play")))
            _ = try await stage.windows(0)
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func aTapOpens(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            await stage.show(.sample(actions: Self.actions))
            try await daemon.open(stage)
            try await stage.events.wait(for: .responded(a, .open))
            _ = try await stage.windows(0)
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func whatIsPutAwayIsDismissed(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            await stage.show(.sample(actions: Self.actions))
            try await daemon.dismiss(stage)
            try await stage.events.wait(for: .closed(a, .dismissed))
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func promise4_aLaterOneTakesThePlaceAndClosingTakesItAway(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            await withTaskGroup { group in
                for number in 1...20 {
                    group.addTask { await stage.show(.sample("a", number, title: "T\(number)")) }
                }
            }
            await stage.show(.sample("b", 21))
            _ = try await stage.windows(daemon.windows(for: 2))
            if daemon == .dunst {
                try await stage.desktop.call(
                    "output_is",
                    ["argv": ["dunstctl", "count", "displayed"], "pattern": "^2$"]
                )
            }
            await stage.backend.close("a")
            await stage.backend.close("b")
            _ = try await stage.windows(0)
            #expect(stage.events.aboutNotifications.isEmpty)
        }
    }

    @Test func promise6_dunstReadsWhatWasGiven() async throws {
        try await RealDaemon.dunst.with { stage in
            let title = "<b>Tom & Jerry</b> &amp; \"all\""
            let body = "1 < 2 & <i>x</i>\nשלום عالم\n🦊 & 'ä'"
            await stage.show(.sample(title: title, body: body))
            _ = try await stage.windows(1)
            try await stage.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await stage.events.wait(for: .closed(a, .dismissed))
            let history = try await stage.desktop.call("run", ["argv": ["dunstctl", "history"]])
            let shown = try JSONDecoder().decode(JSON.self, from: Data(history["output"].text.utf8))
            let entry = shown["data"][0][0]
            #expect(entry["summary"]["data"].text == title)
            #expect(entry["body"]["data"].text == Markup.escaped(body))
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func promise6_aHugeTextDoesNoHarm(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            let text = String(repeating: "Lesson & <b>so on</b> ", count: 5000)
            #expect(await stage.show(.sample("a", 1, title: text, body: text)).isAccepted)
            // As wide as the first: whoever clicks may have looked before it was drawn. A click on
            // what is just being drawn can go nowhere; then it expires, and the next one is there.
            let wide = String(repeating: "Lesson ", count: 10)
            for number in 2...4 {
                let later = UserNotification.sample("a", number, body: wide, actions: Self.actions)
                #expect(await stage.show(later).isAccepted)
                try await daemon.open(stage)
                let delivery = NotificationDelivery(identifier: "a", number: number)
                let opened = NotificationBackendEvent.responded(delivery, .open)
                try await stage.events.wait {
                    $0.contains(opened) || $0.contains(.closed(delivery, .expired))
                }
                if stage.events.all.contains(opened) { return }
            }
            Issue.record("No click was heard: \(stage.events.all)")
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func promise7_twoProgramsHearEachOfItsOwn(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            let other = await Stage(stage.desktop)
            await stage.show(.sample("a", 1, actions: Self.actions))
            try await daemon.open(stage)
            try await stage.events.wait(for: .responded(a, .open))
            await other.show(.sample("a", 1, actions: Self.actions))
            try await daemon.open(other)
            try await other.events.wait(for: .responded(a, .open))
            // Its answer comes after every signal before it.
            await stage.show(.sample("b", 2))
            #expect(stage.events.aboutNotifications == [.responded(a, .open)])
            #expect(other.events.aboutNotifications == [.responded(a, .open)])
        }
    }

    @Test func promise10_aTapAfterARestartReachesTheNewRun() async throws {
        try await RealDaemon.dunst.with { stage in
            let notification = UserNotification.sample(actions: Self.actions)
            let other = UserNotification.sample("b", 2, title: "Put away meanwhile")
            // dunst closes the first of those it shows.
            let handles = [
                try #require(await stage.show(other).handle),
                try #require(await stage.show(notification).handle),
            ]
            await stage.leave()
            try await stage.desktop.call("run", ["argv": ["dunstctl", "close"]])
            try await stage.desktop.call(
                "output_is",
                ["argv": ["dunstctl", "count", "history"], "pattern": "^1$"]
            )
            let later = await Stage(stage.desktop)
            let kept = await later.backend.restore([
                .init(notification: notification, handle: handles[1]),
                .init(notification: other, handle: handles[0]),
            ])
            #expect(kept == [notification.id: handles[1]])
            try await RealDaemon.dunst.pressSecondButton(later, title: "Play")
            try await later.events.wait(for: .responded(notification.id, .custom("play")))
        }
    }

    @Test(arguments: [RealDaemon.xfce, .lxqt])
    func promise10_whoTellsEverybodyTellsTheNewRun(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            let notification = UserNotification.sample(actions: Self.actions)
            let handle = try #require(await stage.show(notification).handle)
            _ = try await stage.windows(1)
            await stage.leave()
            let later = await Stage(stage.desktop)
            let shown = ShownNotification(notification: notification, handle: handle)
            #expect(await later.backend.restore([shown]) == [notification.id: handle])
            try await daemon.pressSecondButton(later, title: "Play")
            try await later.events.wait(for: .responded(notification.id, .custom("play")))
        }
    }

    @Test func promise9_dunstThatIsKilledIsReplacedByTheNext() async throws {
        try await RealDaemon.dunst.with { stage in
            await stage.show(.sample("a", 1))
            try await stage.desktop.call("end", ["what": "daemon"])
            try await stage.events.wait(for: .closed(a, .unknown))
            try await stage.desktop.call("daemon", ["daemon": "dunst"])
            #expect(await stage.show(.sample("a", 2)).isAccepted)
            try await RealDaemon.dunst.open(stage)
            try await stage.events.wait(
                for: .responded(NotificationDelivery(identifier: "a", number: 2), .open)
            )
        }
    }

    @Test(arguments: RealDaemon.allCases)
    func theDocumentationsPictureIsTaken(_ daemon: RealDaemon) async throws {
        try await daemon.with { stage in
            let picture = try Self.poster()
            await stage.show(
                .sample(
                    "a",
                    1,
                    title: "Download complete",
                    body: "Tom & Jerry <3 is in your library.",
                    actions: Self.actions
                ) {
                    $0.attachments = [.image(picture)]
                    $0.kind = .transferComplete
                }
            )
            await stage.show(
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
            let windows = try await stage.windows(daemon.windows(for: 2))
            #expect(!windows.isEmpty)
            let folder =
                ProcessInfo.processInfo.environment["TIDINGS_SCREENSHOTS"] ?? NSTemporaryDirectory()
            let path =
                "\(folder)/tidings-\(daemon.rawValue)-\(ProcessInfo.processInfo.processIdentifier).png"
            let size = try await stage.desktop.call("shot", ["path": .string(path)])["size"].integer
            #expect(size > 5000)
            if ProcessInfo.processInfo.environment["TIDINGS_SCREENSHOTS"] == nil {
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// A picture of a sunset, drawn here.
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
