// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings

/// `offline settings`: prints or changes the settings of all downloads.
struct SettingsCommand {
    /// The words of the command line.
    struct Change: Equatable {
        /// The setting to print or to change; nil prints all.
        var key: SettingKey?
        /// The new value; nil changes nothing.
        var value: String?
    }

    let change: Change
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let settings: DownloadSettings
        if let key = change.key, let value = change.value {
            settings = try await library.changeSettings([key: value])
        } else {
            settings = try await library.settings()
        }
        await library.stop()
        if let key = change.key {
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

extension Arguments {
    /// Reads the name of a setting and its new value.
    static func settings(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> SettingsCommand.Change {
        var change = SettingsCommand.Change()
        guard let name = scanner.next() else { return change }
        do throws(LibraryError) {
            let key = try SettingKey(named: name)
            change = SettingsCommand.Change(key: key, value: scanner.next())
            var settings = DownloadSettings()
            if let value = change.value { try settings.set(key, to: value) }
        } catch {
            throw UsageError(error.message)
        }
        return change
    }
}
