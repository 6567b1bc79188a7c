// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Calls `action` on the main actor, behind the handlers of this center that wait there now.
    package func callOnMainActor(_ action: @escaping @Sendable () -> Void) {
        mainQueue.append(for: self, action)
    }
}
