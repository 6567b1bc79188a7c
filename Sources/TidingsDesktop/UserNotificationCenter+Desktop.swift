// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
public import TidingsUserNotifications

extension UserNotificationCenter {
    /// Returns whether the person has asked the desktop not to be disturbed; nil if the desktop
    /// does not tell it.
    ///
    /// dunst, Plasma and xfce4-notifyd tell it. The center asks the daemon and waits at most a
    /// second for its answer. A daemon that keeps bubbles back still accepts them, and the sounds
    /// that the program plays in its place are left out.
    ///
    /// ```swift
    /// if await notifications.isDoNotDisturb() == true { showTheTextInTheWindow() }
    /// ```
    ///
    /// - Returns: Whether to be quiet; nil without a daemon and in a sandbox, too.
    public func isDoNotDisturb() async -> Bool? {
        await backend.doNotDisturb()
    }

    /// Opens the desktop's settings of notifications, in their own program.
    ///
    /// Known are the programs of GNOME, Plasma, Xfce, LXQt, MATE and Cinnamon. Returns when the
    /// program has been started.
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
