// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings

/// An item was played further, or marked as watched or not watched.
package struct PlaybackChanged: Message, Hashable {
    /// The identifier of the item.
    package let id: ItemID
    /// The playback after the change.
    package let playback: Playback
}
