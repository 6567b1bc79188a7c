// SPDX-License-Identifier: Apache-2.0

// Calls that a newcomer is likely to write. The compiler's error for each one names the correct
// call.

extension Delegates {
    /// Multicast delegates of other libraries.
    @available(*, unavailable, renamed: "notify(_:)")
    public func invoke(_ body: (Delegate) -> Void) { unavailable() }
}
