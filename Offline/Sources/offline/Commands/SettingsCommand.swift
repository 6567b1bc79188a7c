// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineModel
import OfflineStore
import Tidings

/// `offline settings`: prints or changes the settings of all downloads.
struct SettingsCommand: Command {
    static var forms: [CommandForm] {
        Form("settings", Self(), help: "Shows the settings of all downloads, or changes one.")
            .details(
                """
                A change applies at once. A command can choose another quality or other languages. \
                The settings are:
                """
            )
            .terms(
                SettingKey.allCases.map {
                    Offer(word: $0.rawValue, note: "\($0.meaning): \($0.allowed)")
                }
            )
            .argument(.setting, ifGiven: \.key)
            .argument(.settingValue, ifGiven: \.value)
    }

    /// The setting, or nil for all settings.
    var key: SettingKey?
    /// The new value, or nil to change nothing.
    var value: String?

    var library: LibraryUse { .created }

    mutating func check() throws(UsageError) {
        guard let key, let value else { return }
        var settings = DownloadSettings()
        do {
            try settings.set(key, to: value)
        } catch {
            throw UsageError(error.message)
        }
    }

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let settings: DownloadSettings
        if let key, let value {
            settings = try await library.call(API.library.changeSettings, .init([key: value]))
        } else {
            settings = try await library.call(API.library.settings)
        }
        await library.stop()
        if let key {
            Terminal.print(settings.text(of: key))
        } else {
            for key in SettingKey.allCases {
                let name = key.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
                Terminal.print(name + settings.text(of: key))
            }
        }
        return .success
    }
}

extension ValueKind<SettingKey> {
    fileprivate static var setting: ValueKind {
        ValueKind(
            placeholder: "NAME",
            offered: Offered { _, _ in
                SettingKey.allCases.map { Offer(word: $0.rawValue, note: $0.meaning) }
            }
        ) { try SettingKey(named: $0) }
    }
}

extension ValueKind<String> {
    /// The value of the setting that the argument before names.
    fileprivate static var settingValue: ValueKind {
        var kind = ValueKind.text("VALUE")
        kind.offered = Offered { _, arguments in
            let key = arguments.last.flatMap(SettingKey.init(rawValue:))
            return key?.usualValues.map { Offer(word: $0) } ?? []
        }
        return kind
    }
}
