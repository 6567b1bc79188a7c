// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Whether the program is shut in, so that only the portal shows its notifications.
enum Sandbox {
    /// Finds out.
    ///
    /// Outside of a sandbox the portal cannot tell reliably whose notifications it is given, and it
    /// says nothing of their end: the daemon is the better way wherever it can be reached.
    static func isPresent(
        environment: (String) -> String?,
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> Bool {
        exists("/.flatpak-info") || (environment("SNAP") != nil && environment("SNAP_NAME") != nil)
    }
}
