// SPDX-License-Identifier: Apache-2.0

/// A delivered notification and the state of the display, in the form that the store keeps.
package struct DeliveredNotification: Hashable, Sendable, Codable {
    /// The notification at the time of delivery.
    package var notification: UserNotification
    /// The handle for finding the notification again, or nil if the backend gave none.
    package var handle: NotificationHandle?
    /// Whether the notification is still visible, as far as the center has been notified.
    package var isShown: Bool
    /// The name of the run that shows the notification.
    package var owner: String
    /// The number of the scheduled request, or nil if the notification was not scheduled.
    package var scheduleNumber: Int?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - notification: The notification at the time of delivery.
    ///   - handle: The handle for finding the notification again.
    ///   - isShown: Whether the notification is visible.
    ///   - owner: The name of the run that shows the notification.
    ///   - scheduleNumber: The number of the scheduled request.
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

    /// Whether the notification was meant to be shown but has no handle as proof.
    var isUncertain: Bool { handle == nil && !notification.presentation.isEmpty }

    /// The form to store: without in-memory pictures of more than 256 KiB.
    var storedForm: DeliveredNotification {
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
    /// A copy that is marked as overdue.
    var overdue: UserNotification { with(content, isOverdue: true) }

    fileprivate func with(attachments: [UserNotificationPicture]) -> UserNotification {
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
