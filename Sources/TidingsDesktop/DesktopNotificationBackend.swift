// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import TidingsUserNotifications

/// Shows notifications on a Linux desktop, through the notification daemon of the person's session.
///
/// The backend keeps one connection to the session's message bus. No call waits longer than five
/// seconds for a daemon, and none blocks a thread. Without a daemon or a bus, every call returns
/// the reason at once. When another daemon takes over, the backend uses it from the next
/// notification on. Inside Flatpak and Snap the backend uses the desktop portal instead, which
/// reports less.
///
/// ```swift
/// let notifications = UserNotificationCenter(
///     application: .init(id: "org.example.Films", name: "Films"),
///     backend: .desktop,
///     messages: center
/// ) { _ in .granted }
/// ```
public final class DesktopNotificationBackend: NotificationBackend {
    /// The daemon's session, or the portal's session in a sandbox.
    let session: any NotificationSession
    private let icon: String?
    private let openTitle: String

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - icon: The program's icon, as a name in the icon theme or as a file path; nil for the
    ///     application's identifier, which is the icon name in most desktop files.
    ///   - openTitle: The title of the default action, for daemons that show it as a button.
    public convenience init(icon: String? = nil, openTitle: String = "Open") {
        self.init(
            icon: icon,
            openTitle: openTitle,
            settings: .init(address: { BusAddress.session(environment: Self.variable) }),
            isSandboxed: Sandbox.isPresent(environment: Self.variable)
        )
    }

    init(
        icon: String? = nil,
        openTitle: String = "Open",
        settings: DesktopSession.Settings,
        isSandboxed: Bool = false
    ) {
        session =
            isSandboxed ? PortalSession(settings: settings) : DesktopSession(settings: settings)
        self.icon = icon
        self.openTitle = openTitle
    }

    /// The features that can be shown now; common features until a daemon has reported its own.
    public var features: NotificationFeatures { session.currentFeatures }

    /// Returns whether a daemon is running or can be started.
    public func availability() async -> NotificationAvailability {
        await session.availability()
    }

    /// Sets the application that sends the notifications.
    public func introduce(_ application: UserNotificationCenter.Application) {
        session.introduce(
            NotifyArguments.Program(
                id: application.id,
                store: application.store,
                name: application.name,
                icon: icon ?? application.id,
                openTitle: openTitle
            )
        )
    }

    /// Sets the closure that gets all events, and connects.
    ///
    /// In a sandbox it connects with the first call that needs the portal.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        session.begin(events)
    }

    /// Shows a notification, replacing an earlier one with the same identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await session.show(notification)
    }

    /// Takes over the notifications of an earlier run that are still visible.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        await session.restore(shown)
    }

    /// Closes the notification with an identifier, if one is shown.
    public func close(_ identifier: String) async {
        await session.close(identifier)
    }

    /// Sets the badge on the program's icon, in launchers that support badges; 0 removes it.
    public func setBadge(_ count: Int) async {
        await session.setBadge(count)
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

extension NotificationBackend where Self == DesktopNotificationBackend {
    /// A backend for the desktop session in which the program runs.
    public static var desktop: DesktopNotificationBackend { DesktopNotificationBackend() }
}
