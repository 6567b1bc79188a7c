// SPDX-License-Identifier: Apache-2.0

/// The downloads whose end leads to a notification.
package enum NotifiedDownloads: String, Hashable, Sendable {
    /// Finished and failed downloads.
    case all
    /// Downloads that need the user.
    case failures
}

/// Where notifications appear.
package enum NotificationPlace: String, Hashable, Sendable {
    /// On the desktop of the machine, or on the page while the page is in front.
    case desktop
    /// Only on open pages.
    case page
}
