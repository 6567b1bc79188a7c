// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Tidings

/// Shows notifications to the person who uses a program and tells the program what they did.
///
/// No call waits for whoever shows notifications, and none blocks a thread. What the person does
/// is posted as ``NotificationResponse`` on the message center given. Requests with one identifier
/// replace one another: at any time at most one of them is delivered, the latest.
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
    /// The program in whose name notifications are shown.
    public struct Application: Hashable, Sendable {
        /// A name that no other program has, in reverse domain order.
        public let id: String
        /// The name that a person knows.
        public let name: String

        /// Creates the identity of a program.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    struct State {
        var inbox: Inbox
        /// What waits for its time, as the store had it last.
        var schedule = NotificationSchedule()
        /// The identifiers whose requests are being taken back, each with the last attempt.
        var takenBack: [String: Int] = [:]
        var lastAttempt = 0
        /// What was sent and is still claimed, because that could not be written.
        var unfinished: Set<Int> = []
        var allowed: AuthorizationOptions?
        /// The attempt to take up what is left that runs now, or the one that has succeeded.
        var beginning: Task<UserNotificationError?, Never>?
        /// Why the last attempt has failed.
        var beginFailure: UserNotificationError?
        var isBegun = false
        /// What was to be taken back before it could be known what waits.
        var takenBackEarly = Removals()
        /// Whether a change could not be written.
        var isUnsaved = false
        var restoring: Task<Void, Never>?
        var driver: Task<Void, Never>?
        var isDriven = false
        var saving = Turnstile()
        var statusTelling = Turnstile()
        var isInFront = false
        var announcing = Turnstile()
        var badging = Turnstile()
        var willPresent: (@Sendable (UserNotification) async -> PresentationOptions)?
    }

    /// The time in which every receipt has its outcome.
    public static let outcomeLimit = Duration.seconds(5)
    /// The time that ``willPresent`` has to answer.
    public static let presentationLimit = Duration.seconds(1)

    /// The program in whose name notifications are shown.
    public let application: Application
    let messages: MessageCenter
    let backend: any NotificationBackend
    let store: any NotificationStore
    let clock: any NotificationClock
    let desk: AuthorizationDesk
    /// Where copies of files are; nil if the store wants none.
    let vault: AttachmentVault?
    let presence = Presence()
    let ledger = Ledger()
    let waker = Waker()
    let limits: OutcomeLimits
    /// The name of this run.
    let owner = Runs.begin()
    let state: Lock<State>

    /// Creates a center and starts its backend.
    ///
    /// What earlier runs have left is taken up by ``start()``.
    ///
    /// - Parameters:
    ///   - application: The program in whose name notifications are shown.
    ///   - backend: Who shows them.
    ///   - messages: Where responses are posted.
    ///   - store: Where everything is kept between two runs; for this run only, unless stated.
    ///   - limit: How many delivered notifications are listed; beyond it the oldest go.
    ///   - clock: What dates and limits of time are measured with.
    ///   - question: Asks the person and returns the answer, nil when there was none. Called when
    ///     the first need arises and no answer is stored; its task is cancelled when nobody needs
    ///     the answer any more.
    public init(
        application: Application,
        backend: some NotificationBackend,
        messages: MessageCenter,
        store: some NotificationStore = InMemoryNotificationStore(),
        limit: Int = 500,
        clock: some NotificationClock = .system,
        question: @escaping @Sendable (AuthorizationOptions) async -> AuthorizationAnswer?
    ) {
        self.application = application
        self.backend = backend
        self.messages = messages
        self.store = store
        self.clock = clock
        limits = OutcomeLimits(Self.outcomeLimit, on: clock)
        desk = AuthorizationDesk(
            store: store,
            messages: messages,
            presence: presence,
            question: question
        )
        let owner = owner
        vault = store.attachmentFolder.map { AttachmentVault($0, owner: owner) }
        state = Lock(State(inbox: Inbox(limit: max(1, limit), owner: owner)))
        store.start { [messages] in messages.post($0) }
        backend.introduce(application)
        backend.start { [weak self] in self?.handle($0) }
    }

    deinit {
        Runs.end(owner)
        let driver = state.withLock(\.driver)
        driver?.cancel()
    }

    /// Whether the program is what the person looks at, so that it is asked before showing.
    public var isInFront: Bool {
        get { state.withLock(\.isInFront) }
        set {
            state.withLock { $0.isInFront = newValue }
            // The person may have travelled.
            if newValue { waker.poke() }
        }
    }

    /// Decides how a notification is shown while the program is in front.
    ///
    /// It has ``presentationLimit`` to answer. Without it, or without an answer in time, nothing
    /// is shown and the notification is listed as delivered.
    public var willPresent: (@Sendable (UserNotification) async -> PresentationOptions)? {
        get { state.withLock(\.willPresent) }
        set {
            // The replaced closure is released here, after the lock.
            _ = state.withLock { state in
                defer { state.willPresent = newValue }
                return state.willPresent
            }
        }
    }

    /// Replaces all categories.
    ///
    /// Notifications have the actions that their category had when they were delivered.
    public func setCategories(_ categories: [NotificationCategory]) {
        let table = Dictionary(categories.map { ($0.identifier, $0) }) { _, last in last }
        state.withLock { $0.inbox.categories = table }
    }
}
