// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsUserNotifications

/// Turns what happens to downloads into notifications, and what the person does with those into
/// messages that the rest of the program understands.
///
/// They appear on the desktop, or in the page while the person looks at it; the inbox has all of
/// them. There is one for each item, replaced in place. Downloads that end before the person has
/// answered whether to notify wait for the answer, the newest thousand of them, in order.
package final class LibraryNotices: Sendable {
    /// The categories and their actions.
    package enum Category {
        package static let complete = "DOWNLOAD_COMPLETE"
        package static let failed = "DOWNLOAD_FAILED"
        package static let play = "play"
        package static let openLibrary = "library"
        package static let retry = "retry"
    }

    enum Event: Sendable {
        case tell(UserNotificationRequest)
        case forget(String)
    }

    package let center: UserNotificationCenter
    private let hasDesktop: Bool
    /// Those that the person responds to in the page now.
    let answeredInPage = Lock<Set<String>>([])
    let library: Library
    private let isInFront: @Sendable () -> Bool
    private let events: AsyncStream<Event>
    let feed: AsyncStream<Event>.Continuation
    private let work = Lock<Task<Void, Never>?>(nil)
    let lost = Lock(0)

    /// Prepares everything; nothing is observed before `start`.
    ///
    /// - Parameters:
    ///   - library: Whose downloads are told of.
    ///   - desktop: Who shows notifications while nobody looks at the page; without it the page
    ///     shows all of them.
    ///   - isInFront: Whether a person looks at the page now.
    package init(
        _ library: Library,
        desktop: (any NotificationBackend)? = nil,
        isInFront: @escaping @Sendable () -> Bool
    ) {
        self.library = library
        hasDesktop = desktop != nil
        self.isInFront = isInFront
        (events, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        let backend: any NotificationBackend = desktop ?? InMemoryNotificationBackend()
        center = UserNotificationCenter(
            application: .init(id: "org.tidings.offline", name: "Offline"),
            backend: backend,
            messages: library.messages,
            store: RegistryNotificationStore(
                registry: library.journal.registry,
                rest: FileNotificationStore(path: library.directory.notifications)
            )
        ) { _ in
            // The page asks, and answers by `setAuthorization`, which ends this wait.
            try? await Task.sleep(for: .seconds(86_400 * 365))
            return nil
        }
        center.setCategories([
            NotificationCategory(
                Category.complete,
                actions: [
                    NotificationAction(Category.play, title: "Play", options: .foreground),
                    NotificationAction(
                        Category.openLibrary,
                        title: "Open Library",
                        options: .foreground
                    ),
                ]
            ),
            NotificationCategory(
                Category.failed,
                actions: [NotificationAction(Category.retry, title: "Retry")]
            ),
        ])
        // A person who looks at the page sees it there, and needs no bubble beside it.
        let inPage: PresentationOptions = hasDesktop ? [] : .all
        center.willPresent = { _ in inPage }
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
        messages.observe(DeliveredNotificationsChanged.self, owner: self) { notices, message in
            notices.center.setBadge(message.unreadCount)
        }
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

    /// Stops telling; what is delivered stays, and is on disk when this returns.
    package func stop() async {
        feed.finish()
        guard let task = work.withLock({ $0 }) else { return }
        task.cancel()
        await task.value
        await center.flush()
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
        // The response is posted before the call returns, on this thread.
        answeredInPage.withLock { _ = $0.insert(identifier) }
        defer { answeredInPage.withLock { _ = $0.remove(identifier) } }
        return target(of: try center.respond(to: identifier, action))
    }

    /// Says whether the page is to show a notification.
    ///
    /// - Parameters:
    ///   - notification: A delivered notification.
    ///   - isDesktopThere: Whether somebody shows notifications on the desktop.
    /// - Returns: False if the desktop has shown it.
    package func isForPage(_ notification: UserNotification, isDesktopThere: Bool) -> Bool {
        !hasDesktop || !isDesktopThere || notification.presentation.isEmpty
    }

    static func identifier(of id: ItemID) -> String { "download-\(id)" }
}
