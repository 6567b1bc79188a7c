// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Glibc

/// Detects a sandbox, in which only the portal can show notifications.
enum Sandbox {
    /// Returns whether the program runs inside Flatpak or Snap.
    ///
    /// Outside a sandbox the daemon is the better choice. There, the portal cannot reliably
    /// identify the sender, and does not report when a notification is closed.
    static func isPresent(
        environment: (String) -> String?,
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> Bool {
        exists("/.flatpak-info") || (environment("SNAP") != nil && environment("SNAP_NAME") != nil)
    }
}
#endif
