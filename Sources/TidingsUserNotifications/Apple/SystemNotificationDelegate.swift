// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

/// The delegate that receives the person's responses from the system.
final class SystemNotificationDelegate: NSObject, UNUserNotificationCenterDelegate,
    Sendable
{
    private let state: SystemNotificationState

    init(_ state: SystemNotificationState) {
        self.state = state
    }

    /// Shows the notification as the center decided, also while the program is in the foreground.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        let presentation = state.presentation(of: notification.request.identifier)
        var options: UNNotificationPresentationOptions = []
        if presentation.contains(.banner) { options.insert(.banner) }
        if presentation.contains(.list) { options.insert(.list) }
        if presentation.contains(.sound) { options.insert(.sound) }
        return options
    }

    /// Sends the person's response to the center.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let request = response.notification.request
        let number = request.content.userInfo[UserNotification.systemNumberKey] as? Int
        guard let number else { return }
        let delivery = NotificationDelivery(identifier: request.identifier, number: number)
        state.send(.responded(delivery, response.action))
    }
}

extension UNNotificationResponse {
    fileprivate var action: NotificationResponse.Action {
        switch actionIdentifier {
        case UNNotificationDefaultActionIdentifier: .open
        case UNNotificationDismissActionIdentifier: .dismissed
        default:
            if let answer = self as? UNTextInputNotificationResponse {
                .reply(actionIdentifier, answer.userText)
            } else {
                .custom(actionIdentifier)
            }
        }
    }
}

#endif
