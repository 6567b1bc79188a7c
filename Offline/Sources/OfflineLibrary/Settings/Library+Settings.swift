// SPDX-License-Identifier: Apache-2.0
package import OfflineDownloads
package import OfflineMedia
package import OfflineModel
package import OfflineStore
import Tidings
import TidingsSQLite

extension Library {
    /// Returns the settings of the downloads.
    package func settings() throws(LibraryError) -> DownloadSettings {
        try LibraryError.rethrowing { try journal.preferences.settings() }
    }

    /// The free bytes of the library's disk to display, or nil if unknown.
    ///
    /// The number would be negative if the disk had less space than a missing reserve needs.
    package var freeBytes: Int64? { space.free.map { max(0, $0) } }

    /// Changes some settings, which are committed and in force when the method returns.
    ///
    /// - Parameter values: The new values, none of which is stored if one is invalid.
    /// - Returns: All settings after the change.
    /// - Throws: `LibraryError` with `.invalidSetting`, and an error of the registry.
    package func change(
        _ values: [SettingKey: String]
    ) async throws(LibraryError) -> DownloadSettings {
        var settings = DownloadSettings()
        var canonical: [SettingKey: String] = [:]
        for (key, text) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try settings.set(key, to: text)
            canonical[key] = settings.text(of: key)
        }
        try space.record { () throws(SQLiteError) in
            try journal.preferences.setSettings(canonical)
        }
        await queue.applySettings()
        return try self.settings()
    }

    /// Returns an item in the form of the API, with the progress and the reason for a wait.
    package func representation(of item: MediaItem) -> ItemRepresentation {
        let progress = progress.progress(of: item.id)
        return ItemRepresentation(item, progress: progress).waiting(in: queueState.lastData)
    }
}

extension OpenLibrary {
    /// Stores a preference, and on a full disk uses the space of the reserve.
    package func setPreference<Value>(
        _ value: Value,
        for key: PreferenceKey<Value>
    ) throws(LibraryError) {
        try space.record { () throws(SQLiteError) in
            try journal.preferences.setPreference(value, for: key)
        }
    }
}

extension ItemRepresentation {
    /// Returns the item with the reason why the queue does not start the download.
    package func waiting(in queue: QueueState?) -> ItemRepresentation {
        guard state == .queued, members.waiting == nil, let queue else { return self }
        var item = self
        if queue.isDiskFull {
            item.members.waiting = "The disk is full. Free some space, and this download begins."
        } else if fields.live?.isOver ?? true, let begin = queue.hoursBegin {
            item.members.waiting = "The download hours begin at \(begin)."
        }
        return item
    }
}
