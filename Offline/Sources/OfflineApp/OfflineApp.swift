// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
package import OfflineServer
package import TidingsUserNotifications

/// The composition root: the one place where a library, its notifications, its reports and its
/// server meet.
///
/// The parts do not refer to each other. The library posts messages; the notifications and the
/// reports observe them, and the server sends them to the page.
///
/// ```swift
/// let app = try OfflineApp(library: library, reports: reports, desktop: nil)
/// try app.start()
/// print(app.server.address)
/// ```
package final class OfflineApp: Sendable {
    /// The page and the HTTP API.
    package let server: OfflineServer
    /// The notifications of the library's downloads.
    package let notifications: LibraryNotifications
    private let library: Library
    private let reports: LibraryReports

    /// Opens the server's port; requests wait until `start`.
    ///
    /// - Parameters:
    ///   - library: The library to serve.
    ///   - reports: The recorder of the library's failures.
    ///   - desktop: The backend that shows notifications while the page is not in front; without
    ///     it the page shows all of them.
    ///   - configuration: The server's address, host names, token and clock.
    /// - Throws: `ServerError`, as `OfflineServer` does.
    package init(
        library: Library,
        reports: LibraryReports,
        desktop: (any NotificationBackend)?,
        configuration: OfflineServer.Configuration = .init()
    ) throws(ServerError) {
        self.library = library
        self.reports = reports
        notifications = LibraryNotifications(library, desktop: desktop)
        server = try OfflineServer(
            library: library,
            notifications: notifications,
            reports: reports,
            configuration: configuration
        )
    }

    /// Starts to respond to requests, to notify the person and to record failures.
    ///
    /// - Throws: `ServerError` with `.cannotListen`.
    package func start() throws(ServerError) {
        try server.start()
        notifications.start { [weak server] in server?.isInFront ?? false }
        reports.follow(library)
    }

    /// Ends the responses in progress, closes the port and returns after all changes are on disk.
    package func stop() async {
        await server.stop()
        await notifications.stop()
    }
}
