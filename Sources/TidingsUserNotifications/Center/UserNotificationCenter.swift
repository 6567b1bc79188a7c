// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Tidings
import TidingsLock

/// Shows notifications to the user of a program and posts the user's responses.
///
/// No call waits for the backend, and none blocks a thread. The center posts each response as a
/// ``UserNotificationResponse`` on the given message center. A request replaces an earlier one with
/// the same identifier, so that at most one notification per identifier is delivered, the latest.
///
/// ```swift
/// let notifications = UserNotificationCenter(
///     application: .init(id: "org.example.Offline", name: "Offline"),
///     backend: .inMemory,
///     messages: center
/// ) { options in
///     await askThePerson(options)
/// }
/// try await notifications.requestAuthorization()
/// try await notifications.add(.init(identifier: "1", content: .init(title: "Done")))
/// ```
public final class UserNotificationCenter: Sendable {
    /// The program that the notifications belong to.
    public struct Application: Hashable, Sendable {
        /// The unique identifier of the program, in reverse domain order.
        public let id: String
        /// The name of the program that a user sees.
        package let name: String
        /// The identity of the store whose notifications are shown.
        ///
        /// Two libraries of one program may use the same identifiers.
        package var store = ""

        /// Creates the identity of a program.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    struct State {
        var inbox: Inbox
        /// The pending requests, as last stored.
        var schedule = NotificationSchedule()
        /// Removals that the store does not have yet.
        var removals = Removals()
        /// The numbers of requests that were sent but stay claimed because a write failed.
        var unfinished: Set<Int> = []
        var allowed: UserNotificationAuthorizationOptions?
        /// The running or successful attempt to start.
        var startTask: Task<UserNotificationError?, Never>?
        /// The error of the last attempt.
        var startFailure: UserNotificationError?
        var isLoaded = false
        /// The identity of the store, or nil until the record is loaded.
        var identity: String?
        /// Cancellations from before the schedule was loaded.
        var deferredCancellations = DeferredRemovals()
        /// Whether a write failed, so that changes still have to be saved.
        var needsSave = false
        var restoring: Task<Void, Never>?
        var scheduler: Task<Void, Never>?
        var isSchedulerStarted = false
        var saves = CoalescedUpdate()
        var statusPosts = CoalescedUpdate()
        var isInFront = false
        var countPosts = CoalescedUpdate()
        var badgeUpdates = CoalescedUpdate()
        var willPresent:
            (@Sendable (UserNotification) async -> UserNotificationPresentationOptions)?
    }

    /// The time within which every receipt has an outcome.
    package static let outcomeLimit = Duration.seconds(5)
    /// The time within which ``willPresent`` has to return.
    package static let presentationLimit = Duration.seconds(1)

    let application: Application
    let messages: MessageCenter
    /// The service that shows the notifications.
    package let backend: any NotificationBackend
    let store: any NotificationStore
    let clock: any NotificationClock
    let authorizationPrompt: AuthorizationPrompt
    /// The store of attachment copies, or nil if the notification store has no folder for copies.
    let attachmentStore: AttachmentStore?
    let backendAvailability = BackendAvailability()
    let taskQueue = SerialTaskQueue()
    /// The responses that may have started the program, which wait for the start in order.
    let activations = SerialTaskQueue()
    /// Wakes the scheduler.
    let scheduleChanged = WakeSignal()
    let timeouts: OutcomeTimeouts
    /// The name of this run.
    let owner = RunRegistry.register()
    let state: Lock<State>

    /// Creates a center and starts the backend.
    ///
    /// Call ``start()`` to load the data of earlier runs.
    ///
    /// - Parameters:
    ///   - application: The program that the notifications belong to.
    ///   - backend: The backend that shows the notifications.
    ///   - messages: The message center on which the center posts responses and changes.
    ///   - store: The store for everything that outlives the run. The default lasts only for this
    ///     run.
    ///   - limit: The maximum number of delivered notifications. The oldest are removed first.
    ///   - summaries: For each thread with a summary, a closure that returns the content of the
    ///     summary. More than three notifications of the thread that are shown within a minute then
    ///     share one bubble. The closure gets these notifications, the oldest first. A response to
    ///     the summary counts as a response to its newest notification.
    ///   - question: Asks the user whether the program may notify, and returns nil without an
    ///     answer. The center calls this closure at the first request for authorization if no
    ///     answer is stored, and cancels the task of the closure when no caller waits for the
    ///     answer any more.
    public convenience init(
        application: Application,
        backend: UserNotificationBackend,
        messages: MessageCenter,
        store: UserNotificationStore = .inMemory,
        limit: Int = 500,
        summaries: [String: @Sendable ([UserNotification]) -> UserNotificationContent] = [:],
        question: @escaping @Sendable (UserNotificationAuthorizationOptions) async -> Bool?
    ) {
        self.init(
            application: application,
            backend: backend,
            messages: messages,
            store: store,
            limit: limit,
            summaries: summaries,
            time: .system,
            question: question
        )
    }

    /// Creates a center with a clock.
    package convenience init(
        application: Application,
        backend: UserNotificationBackend,
        messages: MessageCenter,
        store: UserNotificationStore,
        limit: Int,
        summaries: [String: @Sendable ([UserNotification]) -> UserNotificationContent],
        time: some NotificationClock,
        question: @escaping @Sendable (UserNotificationAuthorizationOptions) async -> Bool?
    ) {
        var base: any NotificationBackend = backend.base
        for (thread, summarize) in summaries {
            base = SummarizingBackend(base, thread: thread, summarize: summarize)
        }
        self.init(
            application: application,
            backend: base,
            messages: messages,
            store: store.base,
            limit: limit,
            clock: time
        ) {
            AuthorizationAnswer(isGranted: await question($0))
        }
    }

    /// Creates a center of a backend and a store.
    package init(
        application: Application,
        backend: some NotificationBackend,
        messages: MessageCenter,
        store: some NotificationStore = InMemoryNotificationStore(),
        limit: Int = 500,
        clock: some NotificationClock = .system,
        question:
            @escaping @Sendable (UserNotificationAuthorizationOptions) async -> AuthorizationAnswer?
    ) {
        self.application = application
        self.backend = backend
        self.messages = messages
        self.store = store
        self.clock = clock
        timeouts = OutcomeTimeouts(Self.outcomeLimit, on: clock)
        authorizationPrompt = AuthorizationPrompt(
            store: store,
            messages: messages,
            backendAvailability: backendAvailability,
            question: question
        )
        let owner = owner
        attachmentStore = store.attachmentFolder.map { AttachmentStore($0, owner: owner) }
        state = Lock(State(inbox: Inbox(limit: max(1, limit), owner: owner)))
        store.start(
            setAside: { [messages] in
                messages.post(UserNotificationStoreFailed(error: UserNotificationError($0)))
            },
            // The next pass of the scheduler reads the record.
            changed: { [scheduleChanged] in scheduleChanged.raise() }
        )
        introduce(store: nil)
        backend.start { [weak self] in self?.handle($0) }
    }

    deinit {
        RunRegistry.unregister(owner)
        let scheduler = state.withLock(\.scheduler)
        scheduler?.cancel()
    }

    /// Whether the program is in the foreground, so that ``willPresent`` is called before showing.
    public var isInFront: Bool {
        get { state.withLock(\.isInFront) }
        set {
            state.withLock { $0.isInFront = newValue }
            // The user may have traveled to another time zone.
            if newValue { scheduleChanged.raise() }
        }
    }

    /// Returns how to show a notification while the program is in the foreground.
    ///
    /// The closure has to return within one second. If the closure is missing or late, the
    /// notification is not shown but listed as delivered.
    public var willPresent:
        (@Sendable (UserNotification) async -> UserNotificationPresentationOptions)?
    {
        get { state.withLock(\.willPresent) }
        set {
            // The previous closure is released here, outside the lock.
            _ = state.withLock { state in
                defer { state.willPresent = newValue }
                return state.willPresent
            }
        }
    }

    /// Replaces all categories.
    ///
    /// A notification keeps the actions that the category had at the time of delivery.
    public func setCategories(_ categories: [UserNotificationCategory]) {
        let categories = Dictionary(categories.map { ($0.identifier, $0) }) { _, last in last }
        state.withLock { $0.inbox.categories = categories }
    }
}
