// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsUserNotifications

extension NotificationRecord {
    /// Returns a record with a value in every field.
    static func full() throws -> NotificationRecord {
        let image = try NotificationImage(
            width: 2,
            height: 1,
            hasAlpha: true,
            pixels: [0, 1, 2, 3, 4, 5, 6, 7]
        )
        var content = UserNotificationContent(
            title: "a & b < c\n\u{202E}🎬\u{0}\u{FFFD}",
            subtitle: String(repeating: "long ", count: 20_000),
            sound: .named("message-new-instant"),
            badge: 3,
            category: "C",
            thread: "t",
            level: .timeSensitive,
            kind: .transferComplete,
            userInfo: [
                "n": .init(json: 7), "list": .init(json: [1.5, true, nil, "x"]),
                "object": .init(json: ["a": -1]),
            ]
        )
        content.attachments = [.image(image), .file("/a.png"), .file("/ü.png")]
        content.actions = [UserNotificationAction("c", title: "C")]
        content.progress = 0.25
        content.timeOnScreen = .milliseconds(1_500)
        var components = DateComponents(hour: 9, weekday: 2)
        components.timeZone = TimeZone(identifier: "Asia/Tokyo")
        let clock = ManualNotificationClock()
        var record = NotificationRecord(authorization: .granted)
        let triggers: [UserNotificationTrigger] = [
            .after(.milliseconds(90_500), repeats: true), .calendar(components, repeats: true),
        ]
        for (number, trigger) in triggers.enumerated() {
            let request = UserNotificationRequest(
                identifier: "\(number)",
                content: content,
                trigger: trigger,
                ifOverdue: .drop
            )
            _ = try record.schedule.add(request, number: number, at: clock.moment)
        }
        record.delivered = [
            DeliveredNotification(
                notification: UserNotification(
                    id: NotificationDelivery(identifier: "d", number: 1 << 40),
                    content: content,
                    actions: [
                        UserNotificationAction("a", title: "A", options: .destructive),
                        UserNotificationAction("b", title: "B", textInput: .init(button: "Send")),
                    ],
                    options: .reportsDismissal,
                    date: Date(timeIntervalSince1970: 1_767_268_800.125),
                    presentation: [.banner],
                    isRead: true,
                    isOverdue: true
                ),
                handle: NotificationHandle("bus 7"),
                isShown: true,
                owner: "1-2-3"
            )
        ]
        record.identity = "store"
        record.allowed = [.alert, .badge]
        record.badge = 3
        record.runs = 7
        return record
    }
}
