// SPDX-License-Identifier: Apache-2.0

/// The downloads of whose end a person is told.
package enum NotifiedDownloads: String, Hashable, Sendable {
    /// The finished and the failed ones.
    case all
    /// Those that need the person.
    case failures
}

/// Where notifications appear.
package enum NotificationPlace: String, Hashable, Sendable {
    /// On the desktop of the machine, or on the page while it is in front.
    case desktop
    /// On open pages alone.
    case page
}
