// SPDX-License-Identifier: Apache-2.0
#if canImport(UserNotifications)
import Foundation
import UserNotifications

/// Whom the system tells what the person does.
final class SystemNotificationListener: NSObject, UNUserNotificationCenterDelegate,
    Sendable
{
    private let stage: SystemNotificationStage

    init(_ stage: SystemNotificationStage) {
        self.stage = stage
    }

    /// Shows what the center has decided to show, also while the program is in front.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        let presentation = stage.presentation(of: notification.request.identifier)
        var options: UNNotificationPresentationOptions = []
        if presentation.contains(.banner) { options.insert(.banner) }
        if presentation.contains(.list) { options.insert(.list) }
        if presentation.contains(.sound) { options.insert(.sound) }
        return options
    }

    /// Tells what the person did.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let request = response.notification.request
        let number = request.content.userInfo[UserNotification.systemNumberKey] as? Int
        guard let number else { return }
        let delivery = NotificationDelivery(identifier: request.identifier, number: number)
        stage.tell(.responded(delivery, response.action))
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
