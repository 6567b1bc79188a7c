// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

extension Library {
    /// Returns the settings of the downloads.
    package func settings() throws(LibraryError) -> DownloadSettings {
        do {
            return try journal.registry.settings()
        } catch {
            throw LibraryError(error)
        }
    }

    /// The free bytes of the library's disk for a person; nil if unknown.
    ///
    /// Without the space of a missing reserve, they would be less than none.
    package var freeBytes: Int64? { space.free.map { max(0, $0) } }

    /// Changes some settings; they are committed and in force when this returns.
    ///
    /// - Parameter texts: The new values; nothing changes if one of them is invalid.
    /// - Returns: All settings after the change.
    /// - Throws: `LibraryError` with `.invalidSetting`, and an error of the registry.
    package func change(
        _ texts: [SettingKey: String]
    ) async throws(LibraryError) -> DownloadSettings {
        var settings = DownloadSettings()
        var canonical: [SettingKey: String] = [:]
        for (key, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try settings.set(key, to: text)
            canonical[key] = settings.text(of: key)
        }
        do {
            try space.commit { () throws(SQLiteError) in
                try journal.registry.setSettings(canonical)
            }
        } catch {
            throw LibraryError(error)
        }
        await queue?.applySettings()
        return try self.settings()
    }

    /// Stores a preference; on a full disk, with the space of the reserve.
    package func setPreference<Value>(
        _ value: Value,
        for key: PreferenceKey<Value>
    ) throws(LibraryError) {
        do {
            try space.commit { () throws(SQLiteError) in
                try journal.registry.setPreference(value, for: key)
            }
        } catch {
            throw LibraryError(error)
        }
    }

    /// Returns an item as the API does, with its progress and the reason of a wait.
    package func representation(of item: MediaItem) -> ItemRepresentation {
        let progress = progress.progress(of: item.id)
        return ItemRepresentation(item, progress: progress).waiting(in: queueState.lastData)
    }
}

extension ItemRepresentation {
    /// Returns the item with the reason for which the queue does not start it.
    package func waiting(in queue: QueueState?) -> ItemRepresentation {
        guard state == .queued, waiting == nil, let queue else { return self }
        var item = self
        if queue.isDiskFull {
            item.waiting = "The disk is full. Free some space, and this download begins."
        } else if live?.isOver ?? true, let begin = queue.hoursBegin {
            item.waiting = "The download hours begin at \(begin)."
        }
        return item
    }
}
