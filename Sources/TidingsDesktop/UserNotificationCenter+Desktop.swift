// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
public import TidingsUserNotifications

extension UserNotificationCenter {
    /// Returns whether the user has turned on do-not-disturb mode of the desktop, or nil if
    /// unknown.
    ///
    /// dunst, Plasma and xfce4-notifyd report the mode. The center asks the daemon and waits at
    /// most a second for the answer. In do-not-disturb mode, a daemon accepts notifications without
    /// showing bubbles, and the program leaves out the sounds that it plays in the daemon's place.
    ///
    /// ```swift
    /// if await notifications.isDoNotDisturb() == true { showTheTextInTheWindow() }
    /// ```
    ///
    /// - Returns: Whether to be quiet, or nil without a daemon or in a sandbox.
    public func isDoNotDisturb() async -> Bool? {
        await backend.doNotDisturb()
    }

    /// Opens the desktop's settings of notifications in a separate program.
    ///
    /// The programs of GNOME, Plasma, Xfce, LXQt, MATE and Cinnamon are known. The method returns
    /// when the program has been started.
    ///
    /// ```swift
    /// do {
    ///     try await notifications.openSettings()
    /// } catch {
    ///     show(error.message)
    /// }
    /// ```
    ///
    /// - Throws: `UserNotificationError` with `.settingsUnavailable` if no such program is
    ///   installed, the desktop is unknown, or the program runs in a sandbox.
    public func openSettings() async throws(UserNotificationError) {
        if let reason = await backend.openSettings() {
            throw UserNotificationError(.settingsUnavailable, reason)
        }
    }
}
#endif
