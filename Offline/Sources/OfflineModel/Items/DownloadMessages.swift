// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A new item is in the registry.
package struct DownloadQueued: Message {
    /// The item as inserted.
    package let item: MediaItem

    /// Creates the message.
    package init(item: MediaItem) {
        self.item = item
    }
}

/// An import has added items.
package struct ItemsImported: Message {
    /// The number of new items.
    package let count: Int

    /// Creates the message.
    package init(count: Int) {
        self.count = count
    }
}

/// The download of an item starts or resumes.
package struct DownloadStarted: Message {
    /// The item before the download.
    package let item: MediaItem

    /// Creates the message.
    package init(item: MediaItem) {
        self.item = item
    }
}

/// The row of an item changed.
///
/// The library posts this message before all other messages about the change.
package struct ItemChanged: Message {
    /// The item after the change.
    package let item: MediaItem

    /// Creates the message.
    package init(item: MediaItem) {
        self.item = item
    }
}

/// The progress of a running download changed.
///
/// The library posts this message at most four times a second for each item.
package struct DownloadProgressed: Message {
    /// The identifier of the item.
    package let id: ItemID
    /// The progress at the time of the post.
    package let progress: DownloadProgress

    /// Creates the message.
    package init(id: ItemID, progress: DownloadProgress) {
        self.id = id
        self.progress = progress
    }
}

/// An item's file is complete and in the library.
package struct DownloadCompleted: Message {
    /// The ready item.
    package let item: MediaItem

    /// Creates the message.
    package init(item: MediaItem) {
        self.item = item
    }
}

/// A download failed.
///
/// The item's row also contains the failure, unless the registry could not be written.
package struct DownloadFailed: Message {
    /// The failed item.
    package let item: MediaItem
    /// The reason of the failure.
    package let error: DownloadError

    /// Creates the message.
    package init(item: MediaItem, error: DownloadError) {
        self.item = item
        self.error = error
    }
}

/// A download stopped because the disk has no space.
///
/// The library continues the download when the disk has space again.
package struct DownloadPaused: Message {
    /// The paused item.
    package let item: MediaItem
    /// The reason of the pause.
    package let error: DownloadError

    /// Creates the message.
    package init(item: MediaItem, error: DownloadError) {
        self.item = item
        self.error = error
    }
}

/// An item was removed from the registry.
package struct ItemRemoved: Message {
    /// The identifier of the removed item.
    package let id: ItemID

    /// Creates the message.
    package init(id: ItemID) {
        self.id = id
    }
}

/// An operation of the library failed because of the registry.
package struct RegistryFailed: Message {
    /// The operation, such as `retry` or a request of the API.
    package let operation: String
    /// The reason of the failure.
    package let error: LibraryError

    /// Creates the message.
    package init(operation: String, error: LibraryError) {
        self.operation = operation
        self.error = error
    }
}
