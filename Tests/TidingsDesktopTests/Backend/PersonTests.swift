// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsUserNotifications

@testable import TidingsDesktop

/// Tests of the user's own preferences: quiet, sounds, and the settings.
@Suite(.timeLimit(.minutes(15))) struct PersonTests {
    @Test(arguments: ["dunst", "Plasma", "Xfce Notify Daemon"], [true, false])
    func n23_doNotDisturbIsReadFromTheDaemon(_ server: String, _ isQuiet: Bool) async throws {
        let settings: JSON = [
            "server": .string(server), "quiet": .bool(isQuiet), "xfconf": .bool(isQuiet),
        ]
        try await BackendFixture.with(settings) { fixture in
            await fixture.show(.sample())
            #expect(await fixture.backend.doNotDisturb() == isQuiet)
        }
    }

    /// Daemons that report nothing, answer with another type, or never answer.
    @Test(
        arguments: [
            ["server": "fake", "quiet": true],
            ["server": "dunst", "quiet_type": "s", "quiet": "true"],
            ["server": "Xfce Notify Daemon"],
            ["server": "Xfce Notify Daemon", "xfconf": true, "GetProperty": "silent"],
            ["server": "Xfce Notify Daemon", "xfconf": true, "GetProperty": "error a.b no"],
        ] as [JSON]
    )
    func n23_anUnclearAnswerIsNone(_ settings: JSON) async throws {
        try await BackendFixture.with(settings, quietLimit: .milliseconds(200)) { fixture in
            await fixture.show(.sample())
            #expect(await fixture.backend.doNotDisturb() == nil)
        }
    }

    @Test func n23_xfceStoresOnlyWhatWasChanged() async throws {
        let missing: JSON = [
            "server": "Xfce Notify Daemon", "xfconf": true,
            "GetProperty": "error org.xfce.Xfconf.Error.PropertyNotFound none",
        ]
        try await BackendFixture.with(missing) { fixture in
            await fixture.show(.sample())
            #expect(await fixture.backend.doNotDisturb() == false)
        }
    }

    @Test func n23_aPausedDunstIsQuiet() async throws {
        try await RealDaemon.dunst.with { fixture in
            await fixture.show(.sample())
            #expect(await fixture.backend.doNotDisturb() == false)
            try await fixture.desktop.call("run", ["argv": ["dunstctl", "set-paused", "true"]])
            #expect(await fixture.backend.doNotDisturb() == true)
        }
    }

    @Test func n23_theProgramPlaysTheSoundOfADaemonWithoutOne() async throws {
        let folder = try ProgramFolder(programs: ["paplay"], sounds: ["bell.oga", "a b.wav"])
        try await BackendFixture.with(environment: folder.environment) { fixture in
            let result = await fixture.show(.sample { $0.sound = .named("bell-window-system") })
            #expect(result.degraded == [])
            try await folder.wait(for: folder.sound("bell.oga"), fixture.desktop)
            let notify = try await fixture.calls("Notify", count: 1)[0]
            #expect(notify["text"].text.contains("'suppress-sound': <true>"))
            #expect(fixture.backend.features.isSuperset(of: [.sound, .soundFile]))
        }
    }

    @Test func n23_aSoundWithoutAPlayerIsNamed() async throws {
        try await BackendFixture.with { fixture in
            let result = await fixture.show(.sample { $0.sound = .default })
            #expect(result.degraded == .sound)
            #expect(!fixture.backend.features.contains(.sound))
        }
    }

    @Test func n23_aDaemonWithSoundsPlaysThemItself() async throws {
        let folder = try ProgramFolder(programs: ["pw-play"], sounds: ["bell.oga"])
        let capabilities: JSON = ["capabilities": ["body", "sound"]]
        try await BackendFixture.with(capabilities, environment: folder.environment) { fixture in
            await fixture.show(.sample { $0.sound = .named("bell") })
            let notify = try await fixture.calls("Notify", count: 1)[0]
            #expect(notify["text"].text.contains("'sound-name': <'bell'>"))
            #expect(folder.calls.isEmpty)
        }
    }

    @Test func n23_noSoundIsPlayedInDoNotDisturbMode() async throws {
        let folder = try ProgramFolder(programs: ["paplay"], sounds: ["one.wav", "two.wav"])
        let quiet: JSON = ["server": "dunst", "quiet": true]
        try await BackendFixture.with(quiet, environment: folder.environment) { fixture in
            await fixture.show(.sample { $0.sound = .named("one") })
            _ = try await fixture.calls("Get paused", count: 1)
            // The answers come in order, so the first sound is done after this call.
            #expect(await fixture.backend.doNotDisturb() == true)
            try await fixture.command(["do": "set", "settings": ["quiet": false]])
            await fixture.show(.sample("a", 2) { $0.sound = .named("two") })
            try await folder.wait(for: folder.sound("two.wav"), fixture.desktop)
            #expect(folder.calls == [folder.sound("two.wav")])
        }
    }

    @Test func n10_aRestoredNotificationIsQuiet() async throws {
        let folder = try ProgramFolder(programs: ["paplay"], sounds: ["one.wav", "two.wav"])
        try await BackendFixture.with(["server": "dunst"], environment: folder.environment) {
            fixture in
            let notification = UserNotification.sample { $0.sound = .named("one") }
            let handle = try #require(await fixture.show(notification).handle)
            try await folder.wait(for: folder.sound("one.wav"), fixture.desktop)
            await fixture.leave()
            let later = await BackendFixture(
                fixture.desktop,
                environment: folder.environment
            )
            let shown = ShownNotification(notification: notification, handle: handle)
            #expect(await later.backend.restore([shown]) == [notification.id: handle])
            // A sound of the restored notification would come first, or suppress the second sound.
            await later.show(.sample("b", 2) { $0.sound = .named("two") })
            try await folder.wait(for: folder.sound("two.wav"), fixture.desktop)
            #expect(folder.calls == [folder.sound("one.wav"), folder.sound("two.wav")])
        }
    }

    @Test func n23_theDesktopsSettingsAreOpened() async throws {
        let folder = try ProgramFolder(programs: ["systemsettings"])
        try await BackendFixture.with(["server": "Plasma"], environment: folder.environment) {
            fixture in
            await fixture.show(.sample())
            #expect(await fixture.backend.openSettings() == nil)
            try await folder.wait(for: "kcm_notifications", fixture.desktop)
        }
    }

    @Test func n23_settingsThatCannotBeOpenedAreAnErrorWithARemedy() async throws {
        try await BackendFixture.with { fixture in
            let center = UserNotificationCenter(
                application: .init(id: "org.example.Films", name: "Films"),
                backend: UserNotificationBackend(fixture.backend),
                messages: MessageCenter()
            ) { _ in true }
            let error = await #expect(throws: UserNotificationError.self) {
                try await center.openSettings()
            }
            #expect(error?.code == .settingsUnavailable)
            #expect(error?.message.contains("Tell the person to") == true)
            #expect(await center.isDoNotDisturb() == nil)
        }
    }
}

@Suite struct SoundPlayerTests {
    @Test func aNameOrAPathIsNeverAnOptionNorLeadsElsewhere() throws {
        let folder = try ProgramFolder(programs: ["pw-play"], sounds: ["bell.oga"])
        let player = try #require(SoundPlayer(environment: folder.environment))
        for name in ["", "-bell", "../stereo/bell", "bell\u{0}", "Bell", "/bell", "no", "--id"] {
            #expect(player.command(for: .named(name)) == nil, "\(name)")
        }
        for path in ["bell.oga", "", "/dev/zero", "/tmp", folder.sound("bell.oga") + "\u{0}"] {
            #expect(player.command(for: .file(path)) == nil, "\(path)")
        }
        let pathOfPlayer = folder.url.appending(path: "pw-play").path
        let bell = [pathOfPlayer, folder.sound("bell.oga")]
        #expect(player.command(for: .named("bell-window-system")) == bell)
        #expect(player.command(for: .file(folder.sound("bell.oga"))) == bell)
    }

    @Test func thePlayerOfThemesFindsTheOthers() throws {
        let folder = try ProgramFolder(programs: ["canberra-gtk-play"])
        let player = try #require(SoundPlayer(environment: folder.environment))
        let path = folder.url.appending(path: "canberra-gtk-play").path
        #expect(player.command(for: .named("bell")) == [path, "--id", "bell"])
        #expect(player.command(for: .default) == [path, "--id", "message-new-instant"])
        #expect(player.command(for: .named("-f")) == nil)
    }

    @Test func withoutAPlayerThereIsNone() throws {
        let folder = try ProgramFolder(programs: [])
        #expect(SoundPlayer(environment: folder.environment) == nil)
        #expect(SettingsProgram.command(server: "Plasma", environment: folder.environment) == nil)
    }
}
