// SPDX-License-Identifier: Apache-2.0

/// Whoever shows notifications to the person.
///
/// A center owns its backend and calls `start` once, before anything else. For one identifier it
/// makes one call at a time, in order; for different identifiers calls may overlap. A backend that
/// can always show everything needs `start`, `show`, `close` and `setBadge` only.
///
/// The contract suite `NotificationBackendContract` of `TidingsTesting` says what a backend must
/// keep, and tries it.
public protocol NotificationBackend: Sendable {
    /// What can be shown now.
    ///
    /// When it changes, `availabilityChanged` is told.
    var features: NotificationFeatures { get }

    /// Whether somebody shows notifications now.
    ///
    /// It may ask, but not longer than the backend's own limit.
    func availability() async -> NotificationAvailability

    /// Hands over in whose name notifications are shown, before `start`.
    func introduce(_ application: UserNotificationCenter.Application)

    /// Hands over where to tell what the person does.
    ///
    /// - Parameter events: May be called from any thread; it returns quickly. Events about a
    ///   delivery that is not current any more are ignored.
    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void)

    /// Shows a notification in place of an earlier one with its identifier.
    ///
    /// What cannot be shown is left out and named in the result. A handle in the result lets a
    /// later run of the program find the notification again.
    func show(_ notification: UserNotification) async -> NotificationBackendResult

    /// Takes over what an earlier run of the program has shown.
    ///
    /// Called at most once, before anything is shown, unless the store could not be read until
    /// later; then nothing was shown for these identifiers. What can still be seen belongs to this
    /// run from then on: what the person does with it is told here.
    ///
    /// - Parameter shown: What the earlier run has shown, with the handles of its results.
    /// - Returns: A new handle for each that can still be seen; the others are gone.
    func restore(_ shown: [ShownNotification]) async -> [NotificationDelivery: NotificationHandle]

    /// Takes away what is shown for an identifier, if anything is.
    func close(_ identifier: String) async

    /// Shows a number for the whole program; 0 shows none. Never negative.
    func setBadge(_ count: Int) async
}

extension NotificationBackend {
    /// All features.
    public var features: NotificationFeatures { .all }

    /// Always available.
    public func availability() async -> NotificationAvailability { .available }

    /// Nothing: the name is not needed.
    public func introduce(_ application: UserNotificationCenter.Application) {}

    /// Nothing that an earlier run has shown can be seen any more.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        [:]
    }
}

/// What a backend did with a notification.
@nonexhaustive public enum NotificationBackendResult: Hashable, Sendable {
    /// It was taken over, without what could not be shown.
    case accepted(degraded: NotificationFeatures = [], handle: NotificationHandle? = nil)
    /// It was not wanted, and this is why.
    case refused(String)
    /// Nobody shows notifications now, and this is why.
    case unavailable(String)
}

/// What a backend tells its center.
@nonexhaustive public enum NotificationBackendEvent: Hashable, Sendable {
    /// The person did something with what is shown.
    ///
    /// The center then closes the notification; a backend need not tell of its end.
    case responded(
        NotificationDelivery,
        NotificationResponse.Action,
        activationToken: String? = nil
    )
    /// What was shown is not shown any more.
    case closed(NotificationDelivery, NotificationCloseReason)
    /// Whether somebody shows notifications has changed, or what can be shown.
    case availabilityChanged(NotificationAvailability)
}
