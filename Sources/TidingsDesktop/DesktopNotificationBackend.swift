// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
package import Foundation
internal import Glibc
public import TidingsUserNotifications

/// Shows notifications through the notification daemon of the user's session, or the portal.
package final class DesktopNotificationBackend: NotificationBackend {
    /// The daemon's session, or the portal's session in a sandbox.
    let session: any NotificationSession
    private let icon: String?
    private let openTitle: String

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - icon: The program's icon, as a name in the icon theme or as a file path. With nil, the
    ///     backend uses the application's identifier, which is the icon name in most desktop files.
    ///   - openTitle: The title of the default action, for daemons that show a button for that
    ///     action.
    ///   - onActivate: Shows the program, or nil for a program that the message bus does not start.
    package convenience init(
        icon: String? = nil,
        openTitle: String = "Open",
        onActivate: (@Sendable (String?) -> Void)? = nil
    ) {
        self.init(
            icon: icon,
            openTitle: openTitle,
            settings: .init(
                address: { BusAddress.session(environment: Self.variable) },
                environment: Self.variable,
                onActivate: onActivate
            ),
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

    /// The features that can be shown now, or common features until a daemon has reported others.
    package var features: UserNotificationFeatures { session.currentFeatures }

    /// Returns whether a daemon is running or can be started.
    package func availability() async -> NotificationAvailability {
        await session.availability()
    }

    /// Sets the application that sends the notifications.
    package func introduce(_ application: UserNotificationCenter.Application) {
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
    /// In a sandbox, the backend connects with the first call that needs the portal.
    package func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        session.begin(events)
    }

    /// Shows a notification, replacing an earlier one with the same identifier.
    package func show(_ notification: UserNotification) async -> NotificationBackendResult {
        await session.show(notification)
    }

    /// Takes over the notifications of an earlier run that are still visible.
    package func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        await session.restore(shown)
    }

    /// Closes the notification with an identifier, if shown.
    package func close(_ identifier: String) async {
        await session.close(identifier)
    }

    /// Sets the badge on the program's icon, in launchers that support badges, or removes the badge
    /// with 0.
    package func setBadge(_ count: Int) async {
        await session.setBadge(count)
    }

    /// Sets the time at which the system starts the closed program, or nil for never.
    package func setProgramStart(_ date: Date?) async {
        await session.setProgramStart(date)
    }

    /// Returns whether the user has turned on do-not-disturb mode, or nil if the daemon does not
    /// report the mode.
    package func doNotDisturb() async -> Bool? {
        await session.doNotDisturb()
    }

    /// Opens the desktop's settings of notifications and returns the reason if that fails.
    package func openSettings() async -> String? {
        await session.openSettings()
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

extension UserNotificationBackend {
    /// A backend for the Linux desktop session in which the program runs.
    public static var desktop: UserNotificationBackend { desktop() }

    /// Returns a backend for the Linux desktop session in which the program runs.
    ///
    /// The backend shows notifications through the notification daemon of the user's session, and
    /// keeps one connection to the session's message bus. No call waits longer than five seconds
    /// for a daemon, and none blocks a thread. Without a daemon or a bus, every call returns the
    /// reason immediately. When another daemon takes over, the backend uses the new daemon from the
    /// next notification on. Inside Flatpak and Snap, the backend uses the desktop portal instead,
    /// which reports less.
    ///
    /// ```swift
    /// let notifications = UserNotificationCenter(
    ///     application: .init(id: "org.example.Films", name: "Films"),
    ///     backend: .desktop(openTitle: "Show"),
    ///     messages: center
    /// ) { _ in true }
    /// ```
    ///
    /// - Parameters:
    ///   - icon: The program's icon, as a name in the icon theme or as a file path. With nil, the
    ///     backend uses the application's identifier, which is the icon name in most desktop files.
    ///   - openTitle: The title of the default action, for daemons that show a button for that
    ///     action.
    ///   - onActivate: Shows the program, with a token that permits the program's window to come to
    ///     the front. The closure is called on another thread and must return quickly. With the
    ///     closure, the program takes the application's `id` as a name on the message bus. The bus
    ///     starts the closed program for a response, a launcher or a due request with
    ///     `startsProgram`. Install a desktop file with `DBusActivatable=true` and a D-Bus service
    ///     file, both with that name.
    /// - Returns: The backend.
    public static func desktop(
        icon: String? = nil,
        openTitle: String = "Open",
        onActivate: (@Sendable (_ activationToken: String?) -> Void)? = nil
    ) -> UserNotificationBackend {
        UserNotificationBackend(
            DesktopNotificationBackend(icon: icon, openTitle: openTitle, onActivate: onActivate)
        )
    }
}
#endif
