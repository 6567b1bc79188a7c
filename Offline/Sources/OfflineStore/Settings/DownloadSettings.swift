// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The settings of all downloads of a library.
package struct DownloadSettings: Hashable, Sendable {
    /// The number of items that download at the same time.
    package var downloads = SettingCount.automatic
    /// The number of downloads and of connections to one host.
    package var perHost = SettingCount.automatic
    /// The speed of all downloads together, without recordings.
    package var limit = SpeedLimit.none
    /// The hours in which to download.
    package var hours = DownloadHours.always
    /// The media to keep of items whose request leaves the choice open.
    package var choice = MediaChoice()
    /// The downloads whose end leads to a notification.
    package var notify = NotifiedDownloads.all
    /// Where notifications appear.
    package var notifyOn = NotificationPlace.desktop

    /// Creates the settings of a new library.
    package init() {}

    /// Returns the text of a setting, which `set` parses.
    package func text(of key: SettingKey) -> String {
        switch key {
        case .downloads: downloads.rawValue
        case .perHost: perHost.rawValue
        case .limit: limit.rawValue
        case .hours: hours.rawValue
        case .quality: choice.quality.description
        case .audio: choice.audio.description
        case .subtitles: choice.subtitles.description
        case .notify: notify.rawValue
        case .notifyOn: notifyOn.rawValue
        }
    }

    /// Changes a setting.
    ///
    /// - Throws: `LibraryError` with `.invalidSetting` and the allowed values.
    package mutating func set(_ key: SettingKey, to text: String) throws(LibraryError) {
        switch key {
        case .downloads: downloads = try Self.parse(text, key)
        case .perHost: perHost = try Self.parse(text, key)
        case .limit: limit = try Self.parse(text, key)
        case .hours: hours = try Self.parse(text, key)
        case .quality: choice.quality = try Self.parse(text, key, by: QualityChoice.init)
        case .audio: choice.audio = try Self.parse(text, key, by: LanguageChoice.init(ofSound:))
        case .subtitles:
            choice.subtitles = try Self.parse(text, key, by: { try LanguageChoice($0) })
        case .notify: notify = try Self.parse(text, key)
        case .notifyOn: notifyOn = try Self.parse(text, key)
        }
    }

    private static func parse<Value: RawRepresentable<String>>(
        _ text: String,
        _ key: SettingKey
    ) throws(LibraryError) -> Value {
        try parse(text, key, by: Value.init(rawValue:))
    }

    private static func parse<Value>(
        _ text: String,
        _ key: SettingKey,
        by read: (String) throws -> Value?
    ) throws(LibraryError) -> Value {
        if let value = try? read(text) { return value }
        throw LibraryError(
            .invalidSetting,
            "“\(text.prefix(40))” is no value of the setting \(key.rawValue). Use \(key.allowed)."
        )
    }
}
