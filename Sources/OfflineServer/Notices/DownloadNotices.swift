// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsUserNotifications

/// Turns what happens to downloads into notifications, and what the person does with those into a
/// place of the page.
///
/// The page shows the notifications itself, so they live in the in-memory backend. The library
/// knows nothing of this: it posts messages, and a response comes back as one.
final class DownloadNotices: Sendable {
    /// The categories and their actions.
    enum Category {
        static let complete = "DOWNLOAD_COMPLETE"
        static let failed = "DOWNLOAD_FAILED"
        static let openLibrary = "library"
        static let showDownloads = "downloads"
    }

    /// Where a response leads.
    struct Destination: Codable, Sendable, Equatable {
        /// The section of the page.
        var open: String
        var itemID: ItemID?
    }

    let center: UserNotificationCenter
    private let backend: InMemoryNotificationBackend
    private let library: Library
    private let hub: EventHub
    private let destinations = Lock<[String: Destination]>([:])

    init(library: Library, hub: EventHub) {
        self.library = library
        self.hub = hub
        backend = InMemoryNotificationBackend()
        center = UserNotificationCenter(
            application: .init(id: "org.tidings.offline", name: "Offline"),
            backend: backend,
            messages: library.messages,
            store: RegistryNotificationStore(library: library)
        ) { _ in
            // The page asks, and answers by `setAuthorization`, which ends this wait.
            try? await Task.sleep(for: .seconds(86_400 * 365))
            return nil
        }
        center.setCategories([
            NotificationCategory(
                Category.complete,
                actions: [.init(Category.openLibrary, title: "Open Library")]
            ),
            NotificationCategory(
                Category.failed,
                actions: [.init(Category.showDownloads, title: "Show Downloads")]
            ),
        ])
        // A person who looks at the page wants to see it there as well.
        center.willPresent = { _ in .all }
    }

    /// Begins to follow the library.
    func start() {
        let messages = library.messages
        messages.observe(DownloadCompleted.self, owner: self) { notices, message in
            notices.tell(
                message.item,
                title: "Download complete",
                body: "\(message.item.title) is in your library.",
                category: Category.complete
            )
        }
        messages.observe(DownloadFailed.self, owner: self) { notices, message in
            notices.tell(
                message.item,
                title: "Download failed",
                body: "\(message.item.title): \(message.error.message)",
                category: Category.failed
            )
        }
        messages.observe(ItemRemoved.self, owner: self) { notices, message in
            notices.center.remove([Self.identifier(of: message.id)])
        }
        messages.observe(NotificationResponse.self, owner: self) { $0.navigate($1) }
    }

    /// What the person answered so far.
    func preference() async throws -> NotificationPreference {
        NotificationPreference(try await center.authorizationStatus())
    }

    /// Does what the person did with a notification and returns where that leads; `action` is one
    /// of its actions, nil when it was tapped itself.
    func respond(
        to identifier: String,
        action: String?
    ) throws(UserNotificationError) -> Destination {
        try backend.respond(to: identifier, action.map { .custom($0) } ?? .open)
        let destination = destinations.withLock { $0.removeValue(forKey: identifier) }
        return destination ?? Destination(open: "library")
    }

    private static func identifier(of id: ItemID) -> String { "download-\(id)" }

    private func tell(_ item: MediaItem, title: String, body: String, category: String) {
        let request = UserNotificationRequest(
            identifier: Self.identifier(of: item.id),
            content: UserNotificationContent(
                title: title,
                body: body,
                sound: .default,
                category: category,
                userInfo: ["item": item.id.description]
            )
        )
        let center = center
        center.isInFront = hub.clientCount > 0
        Task {
            // Waits for the answer to the one question if it is still open; refused means silence.
            guard (try? await center.requestAuthorization()) != nil else { return }
            _ = try? await center.add(request)
        }
    }

    private func navigate(_ response: NotificationResponse) {
        let content = response.notification.content
        let isFailure = content.category == Category.failed
        let destination = Destination(
            open: isFailure ? "downloads" : "library",
            itemID: content.userInfo["item"].flatMap { ItemID($0) }
        )
        destinations.withLock { $0[response.notification.identifier] = destination }
    }
}
