// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

/// Creates a request whose title is the identifier unless given.
func request(
    _ identifier: String,
    _ trigger: UserNotificationTrigger = .now,
    _ policy: UserNotificationOverduePolicy = .deliver,
    title: String? = nil,
    startsProgram: Bool = false
) -> UserNotificationRequest {
    .init(
        identifier: identifier,
        content: .init(title: title ?? identifier),
        trigger: trigger,
        ifOverdue: policy,
        startsProgram: startsProgram
    )
}
