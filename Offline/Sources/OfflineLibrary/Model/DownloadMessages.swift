// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A new item is in the registry.
package struct DownloadQueued: Message {
    /// The item as inserted.
    package let item: MediaItem
}

/// An import has added items.
package struct ItemsImported: Message {
    /// The number of new items.
    package let count: Int
}

/// The download of an item starts or resumes.
package struct DownloadStarted: Message {
    /// The item before the download.
    package let item: MediaItem
}

/// The row of an item changed; posted before all other messages about the change.
package struct ItemChanged: Message {
    /// The item after the change.
    package let item: MediaItem
}

/// The progress of a running download changed; posted at most four times a second for each item.
package struct DownloadProgressed: Message {
    /// The identifier of the item.
    package let id: ItemID
    /// The progress at the time of the post.
    package let progress: DownloadProgress
}

/// An item's file is complete and in the library.
package struct DownloadCompleted: Message {
    /// The ready item.
    package let item: MediaItem
}

/// A download failed.
///
/// The item's row has the failure too, unless the registry could not be written.
package struct DownloadFailed: Message {
    /// The failed item.
    package let item: MediaItem
    /// The reason of the failure.
    package let error: DownloadError
}

/// A download stopped until its disk has space; the library then continues it.
package struct DownloadPaused: Message {
    /// The paused item.
    package let item: MediaItem
    /// The reason of the pause.
    package let error: DownloadError
}

/// An item was removed from the registry.
package struct ItemRemoved: Message {
    /// The identifier of the removed item.
    package let id: ItemID
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
