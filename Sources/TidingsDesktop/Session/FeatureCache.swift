// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import TidingsLock
internal import TidingsUserNotifications

/// The current features of a session, readable from any thread.
final class FeatureCache: Sendable {
    private let features = Lock(DaemonState.defaultFeatures)

    var value: UserNotificationFeatures { features.withLock(\.self) }

    func set(_ features: UserNotificationFeatures) {
        self.features.withLock { $0 = features }
    }
}
#endif
