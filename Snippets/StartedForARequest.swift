// SPDX-License-Identifier: Apache-2.0
// A request for which the system starts the closed program.
import Tidings
import TidingsDesktop
import TidingsUserNotifications

let notifications = UserNotificationCenter(
    application: .init(id: "org.example.Films", name: "Films"),
    backend: .desktop(onActivate: { _ in print("show the window") }),
    messages: MessageCenter()
) { _ in true }
notifications.start()
try await notifications.requestAuthorization()

let request = UserNotificationRequest(
    identifier: "tea",
    content: .init(title: "The tea is ready"),
    trigger: .after(.seconds(240)),
    startsProgram: true
)
let receipt = try await notifications.add(request)
if case .scheduled(_, let degraded) = await receipt.outcome, degraded.contains(.programStart) {
    print("Keep the program open for the tea.")
}
