// SPDX-License-Identifier: Apache-2.0

/// The name of a setting on the command line, in the API, in the registry and in exports.
///
/// An export may come from anywhere, so no setting may name a program.
package enum SettingKey: String, Hashable, Sendable, CaseIterable {
    /// The number of items that download at the same time.
    case downloads
    /// The number of downloads and of connections to one host.
    case perHost = "per-host"
    /// The speed of all downloads together.
    case limit
    /// The hours of the day in which to download.
    case hours
    /// The quality of items whose request names none.
    case quality
    /// The languages of the sound of items whose request names none.
    case audio
    /// The languages of the subtitles of items whose request names none.
    case subtitles
    /// The downloads whose end leads to a notification.
    case notify
    /// Where notifications appear.
    case notifyOn = "notify-on"

    /// Reads a name.
    ///
    /// - Throws: `LibraryError` with `.invalidSetting` and the names.
    package init(named name: String) throws(LibraryError) {
        guard let key = SettingKey(rawValue: name) else {
            let names = SettingKey.allCases.map(\.rawValue)
            throw LibraryError(
                .invalidSetting,
                "There is no setting “\(name.prefix(20))”. Use "
                    + names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")."
            )
        }
        self = key
    }

    /// The allowed values, for error messages and for users.
    package var allowed: String {
        switch self {
        case .downloads: "auto or a number from 1 to 16"
        case .perHost: "auto or a number from 1 to 16"
        case .limit:
            "none or bytes per second such as 500K or 2M, from \(SpeedLimit.least / 1_000)K on"
        case .hours: "always or hours of the day such as 23:00-07:00"
        case .quality: "best, a height such as 720p, or audio for the sound alone"
        case .audio: "all or languages such as en, German"
        case .subtitles: "all, none or languages such as en, German"
        case .notify: "all, or failures for failed downloads alone"
        case .notifyOn: "desktop, or page for open pages alone"
        }
    }

    /// The part of a download that the setting concerns, for the help of users.
    package var meaning: String {
        switch self {
        case .downloads: "how many items download at the same time"
        case .perHost: "downloads and connections to one server"
        case .limit: "the speed of all downloads together, without recordings"
        case .hours: "when to download, in local time"
        case .quality: "the size of the picture"
        case .audio: "the languages of the sound"
        case .subtitles: "the languages of the subtitles"
        case .notify: "the downloads whose end is announced"
        case .notifyOn: "where notifications appear"
        }
    }

    /// The values that a shell offers.
    package var usualValues: [String] {
        switch self {
        case .downloads, .perHost: ["auto"] + (1...16).map(String.init)
        case .limit: SpeedLimit.usualWords
        case .hours: ["always", "23:00-07:00"]
        case .quality: QualityChoice.usualWords
        case .audio: ["all"]
        case .subtitles: ["all", "none"]
        case .notify: ["all", "failures"]
        case .notifyOn: ["desktop", "page"]
        }
    }
}
