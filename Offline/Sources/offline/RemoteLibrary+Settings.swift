// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension RemoteLibrary {
    func settings() async throws -> DownloadSettings {
        try Self.settings(try await call(.get, "/api/settings"))
    }

    func changeSettings(_ texts: [SettingKey: String]) async throws -> DownloadSettings {
        let body = Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
        return try Self.settings(try await call(.patch, "/api/settings", body))
    }

    /// Reads a response; settings that only a newer server has are left out.
    private static func settings(_ texts: [String: String]) throws -> DownloadSettings {
        var settings = DownloadSettings()
        for (name, text) in texts {
            if let key = SettingKey(rawValue: name) { try settings.set(key, to: text) }
        }
        return settings
    }
}
