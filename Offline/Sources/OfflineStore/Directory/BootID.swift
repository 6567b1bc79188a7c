// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The identifier of a boot of the machine.
///
/// Written bytes that are not synced survive a kill but not a reboot.
package enum BootID {
    /// Returns the identifier of the current boot, or nil if the system has none.
    package static func current() -> String? {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
