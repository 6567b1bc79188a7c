// SPDX-License-Identifier: Apache-2.0

/// A service that shows notifications to the user.
///
/// `TidingsDesktop` adds `.desktop`, for Linux desktops. A backend belongs to one center at a time.
///
/// ```swift
/// let notifications = UserNotificationCenter(
///     application: .init(id: "org.example.Films", name: "Films"),
///     backend: .inMemory,
///     messages: center
/// ) { _ in true }
/// ```
public struct UserNotificationBackend: Sendable {
    /// The service.
    package let base: any NotificationBackend

    /// Creates a backend of a service.
    package init(_ base: some NotificationBackend) {
        self.base = base
    }

    /// Returns a new backend in memory, for programs that show notifications themselves.
    public static var inMemory: UserNotificationBackend { inMemory(.init()) }

    /// Returns a backend in memory that a test or the program controls.
    public static func inMemory(
        _ backend: UserNotificationInMemoryBackend
    ) -> UserNotificationBackend {
        UserNotificationBackend(backend)
    }
}
