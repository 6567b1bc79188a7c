// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsUserNotifications

/// Turns what happens to downloads into notifications, and what the person does with those into
/// messages that the rest of the program understands.
///
/// For programs that show the notifications themselves, such as the page. There is one for each
/// item, replaced in place. Downloads that end before the person has answered whether to notify
/// wait for the answer, the newest thousand of them, in order.
package final class LibraryNotices: Sendable {
    /// The categories and their actions.
    package enum Category {
        package static let complete = "DOWNLOAD_COMPLETE"
        package static let failed = "DOWNLOAD_FAILED"
        package static let openLibrary = "library"
        package static let retry = "retry"
    }

    private enum Event: Sendable {
        case tell(UserNotificationRequest)
        case forget(String)
    }

    package let center: UserNotificationCenter
    private let library: Library
    private let isInFront: @Sendable () -> Bool
    private let events: AsyncStream<Event>
    private let feed: AsyncStream<Event>.Continuation
    private let work = Lock<Task<Void, Never>?>(nil)
    private let lost = Lock(0)

    /// Prepares everything; nothing is observed before `start`.
    ///
    /// - Parameters:
    ///   - library: Whose downloads are told of.
    ///   - isInFront: Whether a person looks at the program now.
    package init(_ library: Library, isInFront: @escaping @Sendable () -> Bool) {
        self.library = library
        self.isInFront = isInFront
        (events, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        center = UserNotificationCenter(
            application: .init(id: "org.tidings.offline", name: "Offline"),
            backend: .inMemory,
            messages: library.messages,
            store: RegistryNotificationStore(registry: library.journal.registry)
        ) { _ in
            // The page asks, and answers by `setAuthorization`, which ends this wait.
            try? await Task.sleep(for: .seconds(86_400 * 365))
            return nil
        }
        center.setCategories([
            NotificationCategory(
                Category.complete,
                actions: [NotificationAction(Category.openLibrary, title: "Open Library")]
            ),
            NotificationCategory(
                Category.failed,
                actions: [NotificationAction(Category.retry, title: "Try again")]
            ),
        ])
        // A person who looks at the page wants to see it there as well.
        center.willPresent = { _ in .all }
    }

    deinit { work.withLock { $0 }?.cancel() }

    /// How many events were lost because too many waited for the person's answer.
    package var lostCount: Int { lost.withLock { $0 } }

    /// Begins to follow the library, once, for as long as this object lives.
    package func start() {
        guard work.withLock({ $0 == nil }) else { return }
        let messages = library.messages
        messages.observe(DownloadCompleted.self, owner: self) { $0.tell($1) }
        messages.observe(DownloadFailed.self, owner: self) { $0.tell($1) }
        messages.observe(ItemRemoved.self, owner: self) { notices, message in
            notices.enqueue(.forget(Self.identifier(of: message.id)))
        }
        messages.observe(NotificationResponse.self, owner: self) { $0.act(on: $1) }
        center.start()
        let (events, center, isInFront) = (events, center, isInFront)
        let task = Task {
            for await event in events {
                switch event {
                case .forget(let identifier): center.remove([identifier])
                case .tell(let request):
                    // Waits for the answer to the one question; refused means silence.
                    guard (try? await center.requestAuthorization()) != nil else { continue }
                    center.isInFront = isInFront()
                    _ = try? await center.add(request)
                }
            }
        }
        work.withLock { $0 = task }
    }

    /// Stops telling; what is delivered stays.
    package func stop() async {
        feed.finish()
        let task = work.withLock { $0 }
        task?.cancel()
        await task?.value
    }

    /// What the person answered so far.
    package func preference() async throws(UserNotificationError) -> NotificationPreference {
        NotificationPreference(try await center.authorizationStatus())
    }

    /// Does what the person did with a notification, and returns where that leads.
    ///
    /// Everybody who observes `NavigationRequested` is told as well.
    ///
    /// - Parameters:
    ///   - identifier: Which notification.
    ///   - action: One of its actions, nil when it was tapped itself.
    /// - Returns: Where that leads.
    /// - Throws: `UserNotificationError` with `.notDelivered` or `.unknownAction`.
    package func respond(
        to identifier: String,
        action: String?
    ) throws(UserNotificationError) -> NavigationRequested {
        let action = action.map { NotificationResponse.Action.custom($0) } ?? .open
        return Self.target(of: try center.respond(to: identifier, action))
    }

    private static func identifier(of id: ItemID) -> String { "download-\(id)" }
}

extension LibraryNotices {
    private static let itemKey = "item"

    private func tell(_ message: DownloadCompleted) {
        tell(
            message.item,
            title: "Download complete",
            body: "\(message.item.title) is in your library.",
            category: Category.complete
        )
    }

    private func tell(_ message: DownloadFailed) {
        tell(
            message.item,
            title: "Download failed",
            body: "\(message.item.title): \(message.error.message)",
            category: Category.failed
        )
    }

    private func tell(_ item: MediaItem, title: String, body: String, category: String) {
        let content = UserNotificationContent(
            title: title,
            body: body,
            sound: .default,
            category: category,
            userInfo: [Self.itemKey: .string(item.id.description)]
        )
        let identifier = Self.identifier(of: item.id)
        enqueue(.tell(UserNotificationRequest(identifier: identifier, content: content)))
    }

    private func enqueue(_ event: Event) {
        if case .dropped = feed.yield(event) { lost.withLock { $0 += 1 } }
    }

    /// Tells where a response leads, and tries again what the person wants tried again.
    private func act(on response: NotificationResponse) {
        let content = response.notification.content
        guard [Category.complete, Category.failed].contains(content.category) else { return }
        let target = Self.target(of: response)
        library.messages.post(target)
        if response.action == .custom(Category.retry), let item = target.item { retry(item) }
    }

    private static func target(of response: NotificationResponse) -> NavigationRequested {
        let content = response.notification.content
        return NavigationRequested(
            place: content.category == Category.failed ? .downloads : .library,
            item: content.userInfo[itemKey]?.string.flatMap { ItemID($0) }
        )
    }

    private func retry(_ id: ItemID) {
        let library = library
        Task {
            do throws(LibraryError) {
                _ = try await library.retry(id)
            } catch {
                // One that was tried again elsewhere, or removed, needs nothing any more.
                guard error.code == .database else { return }
                library.messages.post(RegistryFailed(operation: "retry", error: error))
            }
        }
    }
}
