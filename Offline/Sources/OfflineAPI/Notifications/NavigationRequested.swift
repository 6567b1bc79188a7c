// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings

/// Posted when the user's response to a notification leads to a section of the page.
package struct NavigationRequested: Message {
    /// A section of the page.
    package enum Place: String, Sendable, Codable, CaseIterable {
        case library
        case downloads
        case settings
    }

    /// The section to show.
    package let place: Place
    /// The item of the notification.
    package let item: ItemID?
    /// Whether to play the item.
    package var plays: Bool
    /// Whether the user responded in the page, which shows the section itself.
    package var isInPage: Bool
    /// The token with which a window may come to the front, on desktops that require one.
    package var activationToken: String?
    /// The page of the other machine that has the item, or nil for an item of this machine.
    package var machine: MachinePage?

    /// Creates a request for a section.
    package init(
        place: Place,
        item: ItemID?,
        plays: Bool = false,
        isInPage: Bool = false,
        activationToken: String? = nil,
        machine: MachinePage? = nil
    ) {
        self.place = place
        self.item = item
        self.plays = plays
        self.isInPage = isInPage
        self.activationToken = activationToken
        self.machine = machine
    }
}
