// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Calls `action` on the main actor, after the handlers of this center that are pending there
    /// now.
    package func callOnMainActor(_ action: @escaping @Sendable () -> Void) {
        mainQueue.append(for: self, action)
    }
}
