// SPDX-License-Identifier: Apache-2.0
package import OfflineAPI
package import OfflineModel
package import Tidings

/// Posted when a download on another machine of the household finished or failed.
///
/// All values come from the network. The strings are single lines without control characters.
package struct DownloadEndedElsewhere: Message, CustomStringConvertible {
    /// The name of the machine.
    package let machine: String
    /// The storage of the machine's bridge, which differs for machines of the same name.
    package let origin: String
    /// The number of the item in the library of that machine.
    package let item: ItemID
    /// The title of the item.
    package let title: String
    /// Whether the page of the machine can play the item.
    package let isPlayable: Bool
    /// The reason why the download failed, or nil for a finished download.
    package let failure: String?
    /// The page of the machine, or nil if no other machine can reach the page.
    package let page: MachinePage?

    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The number of the item, without text from another machine.
    package var description: String { "item \(item)" }

    /// Creates the news of a download.
    package init(
        machine: String,
        origin: String,
        item: ItemID,
        title: String,
        isPlayable: Bool,
        failure: String?,
        page: MachinePage?
    ) {
        self.machine = machine
        self.origin = origin
        self.item = item
        self.title = title
        self.isPlayable = isPlayable
        self.failure = failure
        self.page = page
    }
}
