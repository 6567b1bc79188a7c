// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
public import TidingsUserNotifications

/// Shows notifications on a Linux desktop, through the notification daemon of the person's session.
///
/// It keeps one connection to the session's message bus. No call waits for a daemon longer than
/// five seconds, none blocks a thread, and without a daemon or a bus everything answers at once with
/// why. When another daemon takes over it is used from the next notification on.
///
/// ```swift
/// let notifications = UserNotificationCenter(
///     application: .init(id: "org.example.Films", name: "Films"),
///     backend: .desktop,
///     messages: center
/// ) { _ in .granted }
/// ```
public final class DesktopNotificationBackend: NotificationBackend {
    let session: DesktopSession
    private let icon: String
    private let openTitle: String

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - icon: The name of the program's picture in the icon theme, or its file's path; nil for
    ///     the application's identifier, which is what its desktop file usually names.
    ///   - openTitle: What the tap on the notification itself is called where it is a button.
    public convenience init(icon: String? = nil, openTitle: String = "Open") {
        self.init(
            icon: icon,
            openTitle: openTitle,
            settings: .init(address: {
                BusAddress.session { name in
                    getenv(name).map { String(cString: $0) }
                }
            })
        )
    }

    init(icon: String? = nil, openTitle: String = "Open", settings: DesktopSession.Settings) {
        session = DesktopSession(settings: settings)
        self.icon = icon ?? ""
        self.openTitle = openTitle
    }

    /// What can be shown now; the usual until a daemon has said what it can do.
    public var features: NotificationFeatures { session.features.value }

    /// Whether somebody shows notifications now, or can be started for it.
    public func availability() async -> NotificationAvailability {
        await session.availability()
    }

    /// Hands over in whose name notifications are shown.
    public func introduce(_ application: UserNotificationCenter.Application) {
        let program = NotifyArguments.Program(
            id: application.id,
            name: application.name,
            icon: icon.isEmpty ? application.id : icon,
            openTitle: openTitle
        )
        enqueue { $0.use(program) }
    }

    /// Hands over where to tell what the person does, and connects.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        enqueue { $0.start(events) }
    }

    /// Shows a notification in place of an earlier one with its identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await session.show(notification)
    }

    /// Takes over what an earlier run of the program has shown and can still be seen.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        await session.restore(shown)
    }

    /// Takes away what is shown for an identifier, if anything is.
    public func close(_ identifier: String) async {
        await session.close(identifier)
    }

    /// Shows a number at the program's picture in launchers that can; 0 shows none.
    public func setBadge(_ count: Int) async {
        await session.setBadge(count)
    }

    /// Calls that cannot wait keep their order with those that come after them.
    private func enqueue(_ body: @escaping @Sendable (isolated DesktopSession) -> Void) {
        let session = session
        session.executor.queue.async { session.assumeIsolated { body($0) } }
    }
}

extension NotificationBackend where Self == DesktopNotificationBackend {
    /// The desktop of the person who runs the program.
    public static var desktop: DesktopNotificationBackend { DesktopNotificationBackend() }
}
