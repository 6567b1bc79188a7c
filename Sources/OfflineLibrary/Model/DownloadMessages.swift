// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A new item is in the registry.
package struct DownloadQueued: Message {
    package let item: MediaItem
}

/// An item's download begins or goes on.
package struct DownloadStarted: Message {
    package let item: MediaItem
}

/// An item's row changed; every other message about a change comes after this one.
package struct ItemChanged: Message {
    package let item: MediaItem
}

/// A running download got further; at most four a second for each item.
package struct DownloadProgressed: Message {
    package let id: ItemID
    package let progress: DownloadProgress
}

/// An item's file is whole and in the library.
package struct DownloadCompleted: Message {
    package let item: MediaItem
}

/// An item failed.
///
/// Its row says so too, unless the registry could not be written.
package struct DownloadFailed: Message {
    package let item: MediaItem
    package let error: DownloadError
}

/// An item left the registry.
package struct ItemRemoved: Message {
    package let id: ItemID
}

/// A refresh compared the registry with the disk.
package struct DownloadsListRefreshed: Message {
    package let report: RefreshReport
}
