// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct NotifyArgumentsTests {
    private let program = NotifyArguments.Program(id: "org.example.Films", name: "Films", icon: "f")

    private func arguments(
        _ notification: UserNotification,
        _ capabilities: DaemonCapabilities = .full
    ) -> NotifyArguments {
        NotifyArguments(notification, of: program, for: capabilities)
    }

    @Test func theSignatureIsThatOfTheSpecification() {
        let body = arguments(.sample()).body(replacing: 7)
        #expect(body.map(\.signature).joined() == "susssasa{sv}i")
        #expect(body[1] == .uint32(7))
        #expect(body[7] == .int32(-1))
    }

    @Test func n6_theBodyIsEscapedOnlyForDaemonsWithMarkup() {
        let text = "<b>a & b</b> \"x\" 'y'\n🦊 שלום"
        #expect(arguments(.sample(body: text), .plain).body == text)
        #expect(
            arguments(.sample(body: text), .full).body
                == "&lt;b&gt;a &amp; b&lt;/b&gt; &quot;x&quot; &#39;y&#39;\n🦊 שלום"
        )
    }

    @Test(arguments: [DaemonCapabilities.plain, .full])
    func n6_theTitleIsNeverMarkup(_ capabilities: DaemonCapabilities) {
        let title = "<b>a & b</b> &amp;"
        #expect(arguments(.sample(title: title), capabilities).summary == title)
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func n19_lineBreaksBecomeSpaces(_ end: String) {
        let reply = UserNotificationAction(
            "b",
            title: "x\(end)y",
            textInput: .init(placeholder: "x\(end)y", button: "x\(end)y")
        )
        let actions = [UserNotificationAction("a", title: "x\(end)y"), reply]
        let notification = UserNotification.sample(title: "x\(end)y", actions: actions) {
            $0.subtitle = "x\(end)y"
            $0.kind = UserNotificationKind(rawValue: "x\(end)y")
        }
        let sender = NotifyArguments.Program(id: "x", name: "x\(end)y", openTitle: "x\(end)y")
        let written = NotifyArguments(notification, of: sender, for: .full)
        #expect(written.program == "x y" && written.summary == "x y")
        #expect(written.body == "x y\nBody")
        #expect(
            written.keys.pairs == ["default", "x y", "a", "x y", "inline-reply", "x y"]
        )
        for hint in ["category", "x-kde-reply-placeholder-text", "x-kde-reply-submit-button-text"] {
            #expect(written.hints[hint] == .string("x y"))
        }
        let portal = PortalArguments(notification, openTitle: "Open", isBodyPlain: true)
            .options.asOptions
        #expect(portal?["title"] == .string("x y"))
        #expect(portal?["body"] == .string("x y\nBody"))
    }

    @Test func n19_aKeyIsAPlainName() {
        let names = ["a\n#b", "a[1,default]", "a,b", "a b", "ä", "Aa0-_.:"]
        let keys = ActionKeys(
            names.map { UserNotificationAction($0, title: "T") },
            openTitle: "Open",
            features: [.actions]
        )
        let used = stride(from: 2, to: keys.pairs.count, by: 2).map { keys.pairs[$0] }
        #expect(used == (0..<5).map { "action-\($0)" } + ["Aa0-_.:"])
        #expect(used.map { keys.choice($0) } == names.map(UserNotificationResponse.Action.custom))
    }

    @Test(arguments: ["x", "ä", "€", "🦊"])
    func n19_aLongTextIsCutAtTheStatedLength(_ character: String) {
        let length = character.utf8.count
        let fitting = String(repeating: character, count: UserNotification.textLimit / length)
        let fits = arguments(.sample(title: fitting, body: fitting))
        #expect(fits.summary == fitting && fits.body == fitting && fits.degraded.isEmpty)
        let long = fitting + character
        let action = UserNotificationAction("a", title: long)
        let cut = arguments(.sample(title: long, body: long, actions: [action]))
        #expect(cut.degraded == .longText)
        for text in [cut.summary, cut.body, cut.keys.pairs[3]] {
            #expect(text.hasSuffix("\(character)…") && long.hasPrefix(text.dropLast()))
            #expect((0..<4).contains(UserNotification.textLimit - text.utf8.count))
        }
        let portal = PortalArguments(.sample(body: long), openTitle: "Open", isBodyPlain: true)
        #expect(portal.degraded == .longText)
        #expect(portal.options.asOptions?["body"] == .string(cut.body))
    }

    @Test func n22_aBannerThatIsNotListedIsTransient() {
        for (presentation, hint) in [
            (UserNotificationPresentationOptions.banner, BusValue.bool(true)), (.all, nil),
        ] {
            let written = arguments(.sample(presentation: presentation))
            #expect(written.hints["transient"] == hint)
        }
    }

    @Test func theSubtitleIsTheFirstLineOfTheBody() {
        let written = arguments(.sample(body: "b") { $0.subtitle = "s" })
        #expect(written.body == "s\nb")
        #expect(written.degraded == .subtitle)
    }

    private static let levels: [(UserNotificationLevel, UInt8, UserNotificationFeatures)] = [
        (.passive, 0, []), (.active, 1, []), (.timeSensitive, 1, .level), (.critical, 2, []),
    ]

    @Test(arguments: levels)
    func urgencyIsAByte(
        _ level: UserNotificationLevel,
        _ urgency: UInt8,
        _ degraded: UserNotificationFeatures
    ) {
        let written = arguments(.sample { $0.level = level })
        #expect(written.hints["urgency"] == .byte(urgency))
        #expect(written.degraded == degraded)
    }

    @Test func aListedNotificationHasTheLowestUrgency() {
        #expect(
            arguments(.sample(presentation: .list)).hints["urgency"] == .byte(0)
        )
    }

    @Test func soundsAreNamesFilesOrSuppressed() {
        func hints(
            _ sound: UserNotificationSound?,
            _ how: UserNotificationPresentationOptions = .all
        ) -> [String: BusValue] {
            arguments(.sample(presentation: how) { $0.sound = sound }).hints
        }
        #expect(hints(nil)["suppress-sound"] == .bool(true))
        #expect(hints(.default)["sound-name"] == .string("message-new-instant"))
        #expect(hints(.named("bell"))["sound-name"] == .string("bell"))
        #expect(hints(.file("/a b.oga"))["sound-file"] == .string("/a b.oga"))
        #expect(hints(.default, .banner)["suppress-sound"] == .bool(true))
        #expect(hints(.default)["suppress-sound"] == nil)
    }

    @Test func unsupportedFeaturesAreReported() {
        let notification = UserNotification.sample(
            actions: [.init("x", title: "X", options: .destructive)]
        ) {
            $0.sound = .default
            $0.thread = "t"
            $0.attachments = [.file("/a.png")]
            $0.progress = 0.5
            $0.timeOnScreen = .seconds(9)
        }
        let nothing = arguments(notification, DaemonCapabilities([], server: "gnome-shell"))
        #expect(
            nothing.degraded == [
                .body, .sound, .thread, .image, .progress, .timeOnScreen, .actions, .destructive,
            ]
        )
        #expect(nothing.body.isEmpty && nothing.keys.pairs.isEmpty)
        #expect(
            arguments(notification).degraded == [.thread, .progress, .destructive]
        )
    }

    private static let percentages: [(Double, Int32)] = [
        (-1, 0), (0, 0), (0.004, 0), (0.005, 1), (0.5, 50), (2, 100),
    ]

    @Test(arguments: percentages)
    func n23_progressIsAPercentage(_ progress: Double, _ percentage: Int32) {
        let dunst = DaemonCapabilities(["body"], server: "dunst")
        let written = arguments(.sample { $0.progress = progress }, dunst)
        #expect(written.hints["value"] == .int32(percentage))
        #expect(written.degraded.isEmpty)
        #expect(arguments(.sample { $0.progress = .nan }).hints["value"] == .int32(0))
        #expect(arguments(.sample(), dunst).hints["value"] == nil)
    }

    private static let timeouts: [(Duration?, Int32)] = [
        (nil, -1), (.zero, -1), (.seconds(-1), -1), (.nanoseconds(1), 1), (.seconds(2), 2_000),
        (.seconds(1 << 40), .max),
    ]

    @Test(arguments: timeouts)
    func n23_theTimeOnScreenIsInMilliseconds(_ time: Duration?, _ timeout: Int32) {
        let written = arguments(.sample { $0.timeOnScreen = time })
        #expect(written.body(replacing: 0).last == .int32(timeout))
    }

    @Test func theProgramsDesktopFileAndKindAreHints() {
        let written = arguments(.sample { $0.kind = .transferComplete })
        #expect(written.hints["desktop-entry"] == .string("org.example.Films"))
        #expect(written.hints["category"] == .string("transfer.complete"))
    }

    @Test func aTagIsSentToDaemonsThatKnowIt() {
        let dunst = DaemonCapabilities([], server: "dunst")
        #expect(
            arguments(.sample("id"), dunst).hints["x-dunst-stack-tag"]
                == .string("org.example.Films/id")
        )
        #expect(arguments(.sample("id")).hints.keys.allSatisfy { !$0.hasSuffix("tag") })
    }

    @Test func n18_namesAndBadgesCarryTheStore() {
        var (one, other) = (program, program)
        one.store = "1"
        other.store = "2"
        let dunst = DaemonCapabilities([], server: "dunst")
        func tag(_ program: NotifyArguments.Program) -> BusValue? {
            NotifyArguments(.sample("id"), of: program, for: dunst).hints["x-dunst-stack-tag"]
        }
        #expect(tag(one) == .string("org.example.Films/1/id"))
        #expect(tag(other) == .string("org.example.Films/2/id"))
        let (first, second) = (LauncherEntry.update(3, of: one), LauncherEntry.update(3, of: other))
        #expect(first.path == LauncherEntry.update(0, of: one).path)
        #expect(first.path != second.path)
        #expect(first.body == second.body)
        var (portal, otherPortal) = (PortalState(), PortalState())
        portal.program = one
        otherPortal.program = other
        #expect(portal.name(of: "id") != otherPortal.name(of: "id"))
    }

    @Test func n18_aNameInThePortalStaysWhenTheStoreBecomesKnown() {
        var state = PortalState()
        state.program = program
        state.program.store = "run"
        let keys = ActionKeys([], openTitle: "Open", features: [])
        _ = state.register(.sample("a"), keys)
        state.program.store = "store"
        #expect(state.name(of: "a") == "org.example.Films/run/a")
        #expect(state.name(of: "b") == "org.example.Films/store/b")
        let isRemoved = state.remove("a")
        #expect(isRemoved && state.name(of: "a") == "org.example.Films/store/a")
    }

    @Test func keysAreTheActionIdentifiersUnlessReserved() {
        let names = ["0", "play", "play", "default", "", "inline-reply"]
        let keys = ActionKeys(
            names.map { UserNotificationAction($0, title: "T") },
            openTitle: "Open",
            features: [.actions]
        )
        let used = stride(from: 0, to: keys.pairs.count, by: 2).map { keys.pairs[$0] }
        #expect(used == ["default", "0", "play", "action-2", "action-3", "action-4", "action-5"])
        #expect(
            used.dropFirst().map { keys.choice($0) }
                == names.map(UserNotificationResponse.Action.custom)
        )
        #expect(keys.choice("default") == .open)
        #expect(keys.choice("other") == nil)
    }

    @Test func n8_twoActionsNeverShareAKey() {
        let names = ["action-1", "default", "action-3", "action-1"]
        let keys = ActionKeys(
            names.map { UserNotificationAction($0, title: "T") },
            openTitle: "Open",
            features: [.actions]
        )
        let used = stride(from: 2, to: keys.pairs.count, by: 2).map { keys.pairs[$0] }
        #expect(Set(used).count == names.count)
        #expect(used.map { keys.choice($0) } == names.map(UserNotificationResponse.Action.custom))
    }

    @Test(arguments: ["dunst", "mako", "Xfce Notify Daemon", "lxqt-notificationd"])
    func aDaemonThatListsTheDefaultActionGetsOneButtonForIt(_ server: String) {
        let actions = [
            UserNotificationAction("default", title: "Play"),
            UserNotificationAction("library", title: "Open\nLibrary", options: .opens),
            UserNotificationAction("again", title: "Again", options: .opens),
        ]
        let lists = DaemonCapabilities(["body", "actions"], server: server)
        let keys = arguments(.sample(actions: actions), lists).keys
        #expect(
            keys.pairs == ["action-0", "Play", "default", "Open Library", "again", "Again"]
        )
        #expect(keys.choice("default") == .open && keys.choice("library") == nil)
        #expect(keys.choice("action-0") == .custom("default"))
        #expect(keys.choice("again") == .custom("again"))
        let other = arguments(.sample(actions: actions), .plain).keys
        #expect(
            other.pairs
                == [
                    "default", "Open", "action-0", "Play", "library", "Open Library", "again",
                    "Again",
                ]
        )
        #expect(other.choice("library") == .custom("library"))
        let none = arguments(.sample(actions: [actions[0]]), lists).keys
        #expect(none.pairs == ["default", "Open", "action-0", "Play"])
    }

    @Test func aReplyNeverStandsForTheDefaultAction() {
        let action = UserNotificationAction(
            "answer",
            title: "Answer",
            options: .opens,
            replyPlaceholder: "Say"
        )
        let lists = DaemonCapabilities(["actions", "inline-reply"], server: "dunst")
        let keys = arguments(.sample(actions: [action]), lists).keys
        #expect(keys.pairs == ["default", "Open", "inline-reply", "Answer"])
    }

    @Test func aTextFieldIsOfferedWhereItIsSupported() {
        let action = UserNotificationAction(
            "answer",
            title: "Answer",
            textInput: .init(placeholder: "Say", button: "Send")
        )
        let written = arguments(.sample(actions: [action]))
        #expect(written.keys.pairs == ["default", "Open", "inline-reply", "Answer"])
        #expect(written.hints["x-kde-reply-placeholder-text"] == .string("Say"))
        #expect(written.hints["x-kde-reply-submit-button-text"] == .string("Send"))
        let plain = arguments(.sample(actions: [action]), .plain)
        #expect(plain.keys.pairs == ["default", "Open"])
        #expect(plain.degraded == .textReply)
    }

    @Test func onlyAnAbsolutePathBecomesAFileURL() {
        #expect(ImageHint.address(of: "/a b/ü%.png") == "file:///a%20b/%C3%BC%25.png")
        #expect(ImageHint.address(of: "a.png") == nil)
        #expect(ImageHint.address(of: "/a\u{0}.png") == nil)
    }

    @Test func anImageIsSentWithoutGapsBetweenItsRows() throws {
        let image = try NotificationImage(
            width: 1,
            height: 2,
            rowBytes: 4,
            pixels: [1, 2, 3, 99, 4, 5, 6]
        )
        let value = ImageHint.value(of: image)
        #expect(value.signature == "(iiibiiay)")
        #expect(
            value
                == .structure([
                    .int32(1), .int32(2), .int32(3), .bool(false), .int32(8), .int32(3),
                    .bytes([1, 2, 3, 4, 5, 6]),
                ])
        )
    }

    @Test func aLargeImageIsScaledDown() throws {
        let image = try NotificationImage(
            width: 1025,
            height: 3,
            hasAlpha: true,
            pixels: [UInt8](repeating: 7, count: 1025 * 3 * 4)
        )
        guard case .structure(let parts) = ImageHint.value(of: image) else { return }
        #expect(parts[0] == .int32(341) && parts[1] == .int32(1))
        #expect(parts[6] == .bytes([UInt8](repeating: 7, count: 341 * 4)))
    }
}
