// SPDX-License-Identifier: Apache-2.0
import TidingsLock
internal import TidingsUserNotifications

/// The current features of a session, readable from any thread.
final class FeatureCache: Sendable {
    private let features = Lock(DaemonState.defaultFeatures)

    var value: NotificationFeatures { features.withLock(\.self) }

    func set(_ features: NotificationFeatures) {
        self.features.withLock { $0 = features }
    }
}
