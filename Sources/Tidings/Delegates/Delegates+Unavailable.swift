// SPDX-License-Identifier: Apache-2.0

// Calls that a newcomer writes, each with the remedy as the compiler's error.

extension Delegates {
    /// Multicast delegates of other libraries.
    @available(*, unavailable, renamed: "notify(_:)")
    public func invoke(_ body: (Delegate) -> Void) { unavailable() }
}
