// SPDX-License-Identifier: Apache-2.0
package import OfflineHousehold
package import OfflineLibrary
package import OfflineServer
package import TidingsUserNotifications

/// The composition root: the only place where a library, the notifications, the reports and the
/// server meet.
///
/// The parts do not refer to each other. The library posts messages. The notifications and the
/// reports observe these messages, and the server sends them to the page.
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
    private let household: Household?

    /// Opens the server's port.
    ///
    /// Requests wait until `start`.
    ///
    /// - Parameters:
    ///   - library: The library to serve.
    ///   - reports: The recorder of the library's failures.
    ///   - desktop: The backend that shows notifications while the page is not in front. Without a
    ///     backend, the page shows all notifications.
    ///   - household: The other machines, or nil without `--join`.
    ///   - configuration: The server's address, host names, token and clock.
    /// - Throws: `ServerError`, like `OfflineServer`.
    package init(
        library: Library,
        reports: LibraryReports,
        desktop: UserNotificationBackend?,
        household: Household? = nil,
        configuration: OfflineServer.Configuration = .init()
    ) throws(ServerError) {
        self.library = library
        self.reports = reports
        self.household = household
        notifications = LibraryNotifications(library, desktop: desktop)
        server = try OfflineServer(
            library: library,
            notifications: notifications,
            reports: reports,
            household: household,
            configuration: configuration
        )
    }

    /// Starts to respond to requests, to notify the user and to record failures.
    ///
    /// - Throws: `ServerError` with `.cannotListen`.
    package func start() throws(ServerError) {
        try server.start()
        notifications.start { [weak server] in server?.isInFront ?? false }
        reports.follow(library)
    }

    /// Joins the household, if any.
    ///
    /// Joining succeeds even while the household's server is down.
    ///
    /// - Throws: `BridgeError` with `.inUse` or `.storage`. The library then works alone.
    package func join() async throws {
        try await household?.start { [weak server] in server?.machinePage }
    }

    /// Ends the responses in progress, closes the port and waits until all changes are on the disk.
    package func stop() async {
        await server.stop()
        await household?.stop()
        await notifications.stop()
    }
}
