// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineAPI
import OfflineDownloads
import OfflineHousehold
package import OfflineLibrary
import OfflineModel
import OfflineStore
import Tidings
import TidingsLock
package import TidingsUserNotifications

/// Delivers user notifications about finished and failed downloads and about waiting devices, and
/// posts the responses as `NavigationRequested`.
///
/// The notifications appear in the page while the page is in front, and otherwise on the desktop.
/// The inbox contains all notifications. Each item has one notification, which the next
/// notification of the item replaces. On the desktop, one bubble stands for many downloads that end
/// within a minute. Until the user has decided on the permission, the newest 1,000 events of this
/// machine and the newest 50 events of other machines are buffered in order.
package final class LibraryNotifications: NotificationService {
    /// The identifiers of the categories and their actions.
    package enum Category {
        /// The category of a finished download.
        package static let complete = "DOWNLOAD_COMPLETE"
        /// The category of a finished download that is read or saved, not played.
        package static let completeFile = "FILE_COMPLETE"
        /// The category of a failed download.
        package static let failed = "DOWNLOAD_FAILED"
        /// The category of a download that another attempt would refuse again.
        package static let refused = "DOWNLOAD_REFUSED"

        /// The category of a device that waits to be let in.
        package static let device = "DEVICE_WAITS"
        /// The category of a download that ended on another machine of the household.
        package static let elsewhere = "DOWNLOAD_ELSEWHERE"

        static let all = [complete, completeFile, failed, refused]
        static let failures = [failed, refused]
        /// The action that plays a finished item.
        package static let play = "play"
        /// The action that opens the library in the page.
        package static let openLibrary = "library"
        /// The action that retries a failed download.
        package static let retry = "retry"
        /// The action that lets a device in.
        package static let letIn = "letIn"
        /// The action that refuses a device.
        package static let refuse = "refuse"
    }

    enum Event: Sendable {
        case deliver(UserNotificationRequest)
        /// Removes the notification with an identifier.
        case remove(String)
    }

    /// The center that lists and delivers the notifications.
    package let center: UserNotificationCenter
    private let hasDesktop: Bool
    /// The identifiers of the notifications whose response from the page is being processed.
    let pageResponses = Lock<Set<String>>([])
    let library: Library
    /// The program that sends the notifications, with the name of the desktop file.
    package static let program = UserNotificationCenter.Application(
        id: "org.tidings.offline",
        name: "Offline"
    )

    let events = NotificationQueue(NotificationBuffer(limit: 1_000, limitElsewhere: mostElsewhere))
    private let delivery = Lock<Task<Void, Never>?>(nil)

    /// Creates the notifications of a library, which observe nothing before `start`.
    ///
    /// - Parameters:
    ///   - library: The library whose downloads cause notifications.
    ///   - desktop: The backend for notifications while the page is not in front. Without a
    ///     backend, the page shows all notifications.
    package init(_ library: Library, desktop: UserNotificationBackend? = nil) {
        self.library = library
        hasDesktop = desktop != nil
        let journal = library.journal
        center = UserNotificationCenter(
            application: Self.program,
            backend: desktop ?? .inMemory,
            messages: library.messages,
            store: .file(URL(filePath: library.directory.notifications)),
            // The page has a list instead of bubbles.
            summaries: desktop == nil
                ? [:]
                : [
                    Self.downloads: { Self.summary(of: $0) },
                    Self.elsewhere: { Self.summaryElsewhere(of: $0) },
                ]
        ) { _ in
            // If the center has lost the file with the user's answer, the registry still has the
            // answer.
            let stored = try? journal.preferences.preference(NotificationPreference.key)
            if let isGranted = stored?.isGranted { return isGranted }
            // The page asks the user and calls `setAuthorization`, which cancels this sleep.
            try? await Task.sleep(for: .seconds(86_400 * 365))
            return nil
        }
        let openLibrary = UserNotificationAction(
            Category.openLibrary,
            title: "Open Library",
            options: [.foreground, .opens]
        )
        center.setCategories([
            UserNotificationCategory(
                Category.complete,
                actions: [
                    UserNotificationAction(Category.play, title: "Play", options: .foreground),
                    openLibrary,
                ]
            ),
            UserNotificationCategory(Category.completeFile, actions: [openLibrary]),
            UserNotificationCategory(
                Category.failed,
                actions: [UserNotificationAction(Category.retry, title: "Retry")]
            ),
            UserNotificationCategory(Category.refused, actions: []),
            Self.deviceCategory,
            UserNotificationCategory(Category.elsewhere, actions: []),
        ])
        // While the page is in front, the page shows the notification instead of the desktop.
        let inPage: UserNotificationPresentationOptions =
            hasDesktop ? [] : [.banner, .sound, .list]
        center.willPresent = { _ in inPage }
    }

    deinit { delivery.withLock { $0 }?.cancel() }

    /// The number of events that the full buffer has dropped.
    package var droppedCount: Int { events.dropped }

    /// Starts to observe the library until this object is released.
    ///
    /// Later calls do nothing.
    ///
    /// - Parameter isInFront: A closure that returns whether the page is in front, called before
    ///   each notification.
    package func start(isInFront: @escaping @Sendable () -> Bool) {
        guard delivery.withLock({ $0 == nil }) else { return }
        let messages = library.messages
        messages.observe(DownloadCompleted.self, owner: self) { $0.notify($1) }
        messages.observe(DownloadFailed.self, owner: self) { $0.notify($1) }
        messages.observe(DownloadPaused.self, owner: self) { $0.notify($1) }
        messages.observe(ItemRemoved.self, owner: self) { notifications, message in
            notifications.enqueue(.remove(Self.identifier(of: message.id)))
        }
        messages.observe(DeviceArrived.self, owner: self) { $0.notify($1) }
        messages.observe(DeviceAnswered.self, owner: self) { notifications, message in
            notifications.enqueue(.remove(Self.identifier(ofDevice: message.id)))
        }
        messages.observe(DownloadEndedElsewhere.self, owner: self) { $0.notify($1) }
        messages.observe(UserNotificationResponse.self, owner: self) { $0.handle($1) }
        messages.observe(UserNotificationListChanged.self, owner: self) { observer, message in
            observer.center.setBadge(message.unreadCount)
        }
        center.start()
        let (events, deliver) = (events, deliver(isInFront))
        let task = Task {
            // The center may not list the last request yet when the next event arrives.
            var sent: [String: UserNotificationContent] = [:]
            while let event = await events.next() { await deliver(event, &sent) }
        }
        delivery.withLock { $0 = task }
    }

    /// Returns a closure that delivers one event and does not keep this object alive.
    private func deliver(
        _ isInFront: @escaping @Sendable () -> Bool
    ) -> @Sendable (Event, inout [String: UserNotificationContent]) async -> Void {
        { [center, library] event, sent in
            let request: UserNotificationRequest
            switch event {
            case .remove(let identifier):
                sent[identifier] = nil
                return center.remove([identifier])
            case .deliver(let found): request = found
            }
            // This call waits for the user's decision. A refusal drops the notification.
            switch try? await center.requestAuthorization() {
            case .authorized, .unavailable: break
            case .denied, .notDetermined, nil: return
            }
            let isForPages = (try? library.settings())?.notifyOn == .page
            center.isInFront = isForPages || isInFront()
            let listed = center.delivered().map { ($0.identifier, $0.content) }
            let others = Dictionary(listed) { $1 }.merging(sent) { $1 }
            let distinct = Self.distinct(request, from: others)
            if request.content.thread == Self.elsewhere {
                center.remove(Self.surplus(in: center.delivered()))
            }
            // The center lists the earlier requests by now, or the user has closed the
            // notifications.
            if sent.count == 100 { sent = [:] }
            sent[request.identifier] = distinct.content
            _ = try? await center.add(distinct)
        }
    }

    /// Stops the delivery and waits until the delivered notifications are on the disk.
    package func stop() async {
        events.finish()
        guard let task = delivery.withLock({ $0 }) else { return }
        task.cancel()
        await task.value
        await center.flush()
    }

    /// Returns the user's permission.
    package func preference() async throws(UserNotificationError) -> NotificationPreference {
        let status = try await center.settings().status
        let stored = try? library.journal.preferences.preference(NotificationPreference.key)
        return status == .notDetermined ? stored ?? .unknown : NotificationPreference(status)
    }

    /// Stores the user's permission in the registry and in the center.
    ///
    /// - Parameter isGranted: Whether the program may notify.
    /// - Throws: `LibraryError` if the registry cannot be written, and `UserNotificationError` with
    ///   `.storeFailed`.
    package func setPreference(isGranted: Bool) async throws {
        let preference: NotificationPreference = isGranted ? .granted : .denied
        try library.journal.preferences.setPreference(preference, for: NotificationPreference.key)
        try await center.setAuthorization(granted: isGranted)
    }

    /// Performs a response from the page, posts the target as `NavigationRequested`, and returns
    /// the target.
    ///
    /// - Parameters:
    ///   - identifier: The notification.
    ///   - action: The identifier of an action of the notification, or nil for a tap.
    /// - Returns: The target of the response.
    /// - Throws: `UserNotificationError` with `.notDelivered` or `.unknownAction`.
    package func respond(
        to identifier: String,
        action: String?
    ) throws(UserNotificationError) -> NavigationRequested {
        let action = action.map { UserNotificationResponse.Action.custom($0) } ?? .open
        // The center posts the response on this thread before the call returns.
        pageResponses.withLock { _ = $0.insert(identifier) }
        defer { pageResponses.withLock { _ = $0.remove(identifier) } }
        return target(of: try center.respond(to: identifier, action))
    }

    /// Returns whether the page must show a notification.
    ///
    /// - Parameters:
    ///   - notification: A delivered notification.
    ///   - isDesktopThere: Whether the desktop has a service that shows notifications.
    /// - Returns: False if the desktop has shown the notification.
    package func isForPage(_ notification: UserNotification, isDesktopThere: Bool) -> Bool {
        !hasDesktop || !isDesktopThere || notification.presentation.isEmpty
    }

    /// The user's settings, or the default settings if the registry cannot be read.
    var settings: DownloadSettings { (try? library.settings()) ?? DownloadSettings() }

    static func identifier(of id: ItemID) -> String { "download-\(id)" }
}
