// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import TidingsUserNotifications

/// Shows notifications on a Linux desktop, through the notification daemon of the person's session.
///
/// It keeps one connection to the session's message bus. No call waits for a daemon longer than
/// five seconds, none blocks a thread, and without a daemon or a bus everything answers at once with
/// why. When another daemon takes over it is used from the next notification on. Inside Flatpak and
/// Snap the portal of the desktop is used in the daemon's place; it tells less.
///
/// ```swift
/// let notifications = UserNotificationCenter(
///     application: .init(id: "org.example.Films", name: "Films"),
///     backend: .desktop,
///     messages: center
/// ) { _ in .granted }
/// ```
public final class DesktopNotificationBackend: NotificationBackend {
    let route: any DesktopRoute
    private let icon: String?
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
        route =
            isSandboxed ? PortalSession(settings: settings) : DesktopSession(settings: settings)
        self.icon = icon
        self.openTitle = openTitle
    }

    /// What can be shown now; the usual until a daemon has said what it can do.
    public var features: NotificationFeatures { route.currentFeatures }

    /// Whether somebody shows notifications now, or can be started for it.
    public func availability() async -> NotificationAvailability {
        await route.availability()
    }

    /// Hands over in whose name notifications are shown.
    public func introduce(_ application: UserNotificationCenter.Application) {
        route.introduce(
            NotifyArguments.Program(
                id: application.id,
                name: application.name,
                icon: icon ?? application.id,
                openTitle: openTitle
            )
        )
    }

    /// Hands over where to tell what the person does, and connects.
    public func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        route.begin(events)
    }

    /// Shows a notification in place of an earlier one with its identifier.
    public func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await route.show(notification)
    }

    /// Takes over what an earlier run of the program has shown and can still be seen.
    public func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        await route.restore(shown)
    }

    /// Takes away what is shown for an identifier, if anything is.
    public func close(_ identifier: String) async {
        await route.close(identifier)
    }

    /// Shows a number at the program's picture in launchers that can; 0 shows none.
    public func setBadge(_ count: Int) async {
        await route.setBadge(count)
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

extension NotificationBackend where Self == DesktopNotificationBackend {
    /// The desktop of the person who runs the program.
    public static var desktop: DesktopNotificationBackend { DesktopNotificationBackend() }
}
