// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

/// A request whose title is its identifier unless stated.
func request(
    _ identifier: String,
    _ trigger: NotificationTrigger = .now,
    _ policy: OverduePolicy = .deliver,
    title: String? = nil
) -> UserNotificationRequest {
    .init(
        identifier: identifier,
        content: .init(title: title ?? identifier),
        trigger: trigger,
        ifOverdue: policy
    )
}
