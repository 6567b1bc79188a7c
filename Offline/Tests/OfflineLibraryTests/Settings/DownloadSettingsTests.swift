// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct DownloadSettingsTests {
    @Test(arguments: [
        (SettingKey.downloads, "auto", "auto"), (.downloads, "1", "1"), (.downloads, "016", "16"),
        (.limit, "none", "none"), (.limit, "2M", "2M"), (.limit, "1.5m", "1500K"),
        (.limit, "2000000", "2M"), (.limit, "16001", "16001"), (.limit, "0.5G", "500M"),
        (.perHost, "16", "16"), (.hours, "always", "always"), (.hours, "9:05-17:30", "09:05-17:30"),
        (.hours, "23:00-07:00", "23:00-07:00"), (.quality, "720p", "720p"),
        (.quality, "audio", "audio"), (.audio, "EN,de,en", "eng,deu"), (.subtitles, "none", "none"),
        (.notify, "failures", "failures"), (.notifyOn, "page", "page"),
    ])
    func aValueIsReadAndWritten(key: SettingKey, text: String, stored: String) throws {
        var settings = DownloadSettings()
        try settings.set(key, to: text)
        #expect(settings.text(of: key) == stored)
    }

    @Test(arguments: [
        (SettingKey.downloads, "0"), (.downloads, "17"), (.downloads, "-1"), (.downloads, ""),
        (.downloads, "١"), (.downloads, "1.5"), (.downloads, "99999999999999999999"),
        (.limit, ""), (.limit, "0"), (.limit, "15K"), (.limit, "2 M"), (.limit, "2MB"),
        (.limit, "-2M"), (.limit, "2.5"), (.limit, "999999999999G"), (.limit, "1.2345M"),
        (.perHost, "Auto"), (.hours, "24:00-07:00"), (.hours, "07:00-07:00"), (.hours, "7-9"),
        (.hours, "07:60-09:00"), (.hours, "always "), (.hours, "07:00-09:00\n"),
        (.quality, "720"), (.quality, ""), (.audio, "none"), (.audio, ""),
        (.subtitles, "klingonese"),
        (.notify, "none"), (.notifyOn, "phone"),
    ])
    func anInvalidValueIsRefusedWithTheAllowedOnes(key: SettingKey, text: String) {
        var settings = DownloadSettings()
        let error = #expect(throws: LibraryError.self) { try settings.set(key, to: text) }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains(key.allowed) == true)
        #expect(settings == DownloadSettings())
    }

    @Test func anUnknownSettingIsRefusedWithTheNames() {
        let error = #expect(throws: LibraryError.self) { try SettingKey(named: "speed") }
        for key in SettingKey.allCases {
            #expect(error?.message.contains(key.rawValue) == true)
        }
    }

    @Test func o22_settingsSurviveARestart() async throws {
        let test = try TestLibrary()
        #expect(try test.library.settings() == DownloadSettings())
        let changed = try await test.library.change([.downloads: "2", .hours: "9:00-17:00"])
        #expect(changed.downloads == .fixed(2) && changed.perHost == .automatic)
        await test.library.stop()
        let next = try TestLibrary(in: test.folder, origin: test.origin)
        #expect(try next.library.settings() == changed)
        await next.library.stop()
    }

    @Test func o22_ofSeveralChangesOneInvalidValueChangesNothing() async throws {
        let test = try TestLibrary()
        await #expect(throws: LibraryError.self) {
            try await test.library.change([.downloads: "2", .perHost: "many"])
        }
        #expect(try test.library.settings() == DownloadSettings())
        await test.library.stop()
    }

    @Test func anUnreadableStoredValueHasItsDefault() throws {
        let folder = try TemporaryFolder()
        let registry = try Registry(path: folder.path + "/registry.sqlite")
        try registry.preferences.setSettings([.downloads: "many", .perHost: "3"])
        let settings = try registry.preferences.settings()
        #expect(settings.downloads == .automatic && settings.perHost == .fixed(3))
    }
}
