// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

/// A request whose title is its identifier.
func request(
    _ identifier: String,
    _ trigger: NotificationTrigger,
    _ policy: OverduePolicy = .deliver
) -> UserNotificationRequest {
    .init(
        identifier: identifier,
        content: .init(title: identifier),
        trigger: trigger,
        ifOverdue: policy
    )
}
