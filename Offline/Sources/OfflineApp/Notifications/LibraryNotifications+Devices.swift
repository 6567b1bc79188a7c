// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineStore
import Tidings
import TidingsLock
import TidingsUserNotifications

/// The notifications about devices that wait for access, which the user can answer.
extension LibraryNotifications {
    private static let deviceKey = "device"

    static let deviceCategory = UserNotificationCategory(
        Category.device,
        actions: [
            UserNotificationAction(Category.letIn, title: "Let in"),
            UserNotificationAction(Category.refuse, title: "Refuse"),
        ]
    )

    static func identifier(ofDevice id: Int) -> String { "device-\(id)" }

    func notify(_ arrival: DeviceArrived) {
        var content = UserNotificationContent(
            title: "\(arrival.name) wants to use your library",
            body: "Let it in if you hold this device and it shows \(arrival.code).",
            category: Category.device,
            userInfo: [Self.deviceKey: "\(arrival.id)"]
        )
        content.thread = "devices"
        let identifier = Self.identifier(ofDevice: arrival.id)
        enqueue(.deliver(UserNotificationRequest(identifier: identifier, content: content)))
    }

    /// Posts the user's answer, or opens the settings, which ask again.
    func answer(_ response: UserNotificationResponse) {
        let text = response.notification.content.userInfo[Self.deviceKey]?.string
        guard let id = text.flatMap({ Int($0) }) else { return }
        switch response.action {
        case .custom(Category.letIn):
            library.messages.post(DeviceDecision(id: id, letIn: true))
        case .custom(Category.refuse):
            library.messages.post(DeviceDecision(id: id, letIn: false))
        case .open, .custom, .reply, .dismissed:
            library.messages.post(settings(of: response))
        }
    }

    func settings(of response: UserNotificationResponse) -> NavigationRequested {
        let identifier = response.notification.identifier
        return NavigationRequested(
            place: .settings,
            item: nil,
            isInPage: pageResponses.withLock { $0.contains(identifier) },
            activationToken: response.activationToken
        )
    }
}
