// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The place where a center keeps data between two runs of a program.
///
/// The data are the user's answer, the pending requests, the delivered notifications and the badge.
///
/// ```swift
/// let store = UserNotificationStore.file(URL(filePath: "/srv/films/notifications.json"))
/// ```
public struct UserNotificationStore: Sendable {
    /// The store of records.
    package let base: any NotificationStore

    /// Creates a store of records.
    package init(_ base: some NotificationStore) {
        self.base = base
    }

    /// Returns a new store that lasts as long as the process.
    ///
    /// A second center with the same value takes over the data of the first center, like the next
    /// run of a program.
    public static var inMemory: UserNotificationStore {
        UserNotificationStore(InMemoryNotificationStore())
    }

    /// Returns a store in one file that several processes may share and that is never half written.
    ///
    /// The store writes each change to a temporary file, waits for the disk and then replaces the
    /// file. A lock on a second file, with the suffix `.lock`, excludes other processes. A file
    /// that is damaged or has the format of a newer version is moved aside, reported as
    /// ``UserNotificationStoreFailed`` and never deleted. Only the owner can read the file. A
    /// missing folder is created. Copies of pictures are in a folder beside the file, with the
    /// suffix `.attachments`.
    ///
    /// - Parameter url: The place of the file, on a local disk.
    /// - Returns: The store.
    public static func file(_ url: URL) -> UserNotificationStore {
        UserNotificationStore(FileNotificationStore(path: url.path(percentEncoded: false)))
    }
}
