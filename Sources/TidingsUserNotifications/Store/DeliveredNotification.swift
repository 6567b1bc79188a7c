// SPDX-License-Identifier: Apache-2.0

/// A delivered notification and what is known of it where it is shown, as it is on disk.
package struct DeliveredNotification: Hashable, Sendable, Codable {
    package var notification: UserNotification
    /// What its backend needs to find it again.
    package var handle: NotificationHandle?
    /// Whether it can still be seen, as far as is known.
    package var isShown: Bool
    /// Which run shows it.
    package var owner: String
    /// Which request of the schedule it comes from.
    package var scheduleNumber: Int?

    package init(
        notification: UserNotification,
        handle: NotificationHandle? = nil,
        isShown: Bool,
        owner: String,
        scheduleNumber: Int? = nil
    ) {
        self.notification = notification
        self.handle = handle
        self.isShown = isShown
        self.owner = owner
        self.scheduleNumber = scheduleNumber
    }

    /// Whether it was to be shown and nothing says that it was.
    var isDoubtful: Bool { handle == nil && !notification.presentation.isEmpty }

    /// As it is worth keeping: without pictures in memory that are larger than a file should be.
    var forDisk: DeliveredNotification {
        let content = notification.content
        let small = content.attachments.filter { attachment in
            guard case .pixels(let image) = attachment.source else { return true }
            return image.pixels.count <= 1 << 18
        }
        guard small.count != content.attachments.count else { return self }
        var copy = self
        copy.notification = notification.with(attachments: small)
        return copy
    }
}

extension UserNotification {
    /// The same, marked as overdue.
    var overdue: UserNotification { with(content, isOverdue: true) }

    fileprivate func with(attachments: [NotificationAttachment]) -> UserNotification {
        var content = content
        content.attachments = attachments
        return with(content, isOverdue: isOverdue)
    }

    private func with(_ content: UserNotificationContent, isOverdue: Bool) -> UserNotification {
        UserNotification(
            id: id,
            content: content,
            actions: actions,
            options: options,
            date: date,
            presentation: presentation,
            isRead: isRead,
            isOverdue: isOverdue
        )
    }
}
