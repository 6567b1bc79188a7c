// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Tells one run of the machine from another: bytes written but not synced survive a kill, not a
/// reboot.
package enum BootID {
    /// The present boot's identifier, nil where the system has none.
    package static func current() -> String? {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
