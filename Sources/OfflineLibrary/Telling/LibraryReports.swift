// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsDiagnostics
import TidingsHTTP
import TidingsSQLite
import TidingsUserNotifications

/// Records what goes wrong in a library, with what happened before it, in the library's folder.
///
/// The library knows nothing of this: it posts messages, and this observes them.
package final class LibraryReports: Sendable {
    private let reporter: CrashReporter
    private let library: Library

    /// Makes the folder for reports; nothing is recorded before `start`.
    ///
    /// - Parameter library: Whose failures are recorded.
    /// - Throws: `DiagnosticsError` when the folder cannot be used.
    package init(_ library: Library) throws(DiagnosticsError) {
        self.library = library
        reporter = try CrashReporter.start(
            CrashReporter.Configuration(
                application: "offline",
                release: "offline@\(Library.version)",
                directory: library.directory.reports
            )
        )
    }

    /// Begins to follow the library, for as long as this object lives.
    package func start() {
        reporter.follow(library.messages)
        library.messages.observe(DownloadFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: message.item)
        }
        library.messages.observe(RegistryFailed.self, owner: self) { reports, message in
            reports.record(message)
        }
        library.messages.observe(NotificationStoreFailed.self, owner: self) { reports, message in
            reports.record(message)
        }
        library.messages.observe(CatalogueStoreFailed.self, owner: self) { reports, message in
            reports.record(message)
        }
    }

    /// Returns when everything recorded before the call is on disk.
    package func flush() async {
        await reporter.flush()
    }

    /// Returns the recorded errors, the newest first.
    package func all() async -> [Report] {
        await reporter.reports()
    }

    /// Deletes what was recorded before the call.
    package func deleteAll() async throws(DiagnosticsError) {
        try await reporter.deleteReports()
        library.messages.post(ReportsChanged())
    }

    private func record(_ error: DownloadError, of item: MediaItem) {
        setKeys()
        let address = item.source.redacted
        switch error.kind {
        case .download:
            reporter.recordDownloadFailure(
                error,
                address: address,
                retries: error.retries,
                level: error.level
            )
        case .parse:
            reporter.recordParseFailure(error, manifest: address, level: error.level)
        case .mux:
            // Its rows may be what cannot be read; the failure is recorded all the same.
            let segments = (try? library.journal.registry.segments(of: item.id))?.count ?? 0
            reporter.recordMuxFailure(error, segments: segments)
        case .database:
            reporter.recordDatabaseFailure(error, operation: "download")
        }
        library.messages.post(ReportsChanged())
    }

    private func record(_ failure: RegistryFailed) {
        setKeys()
        reporter.recordDatabaseFailure(failure.error, operation: failure.operation)
        library.messages.post(ReportsChanged())
    }

    private func record(_ failure: NotificationStoreFailed) {
        setKeys()
        reporter.record(failure.error, context: ["operation": "notifications"])
        library.messages.post(ReportsChanged())
    }

    private func record(_ failure: CatalogueStoreFailed) {
        setKeys()
        reporter.record(failure.error, context: ["operation": "catalogue"])
        library.messages.post(ReportsChanged())
    }

    private func setKeys() {
        let items = library.journal.items.lastData ?? []
        let waiting = items.count { $0.state == .queued || $0.state.isActive }
        let videos = items.count { $0.state == .ready && $0.mediaType?.hasPrefix("video/") == true }
        reporter.setValue(.integer(waiting), forKey: "download_queue_size")
        reporter.setValue(.integer(videos), forKey: "video_count")
    }
}

extension DownloadError {
    /// The part of the work in which it happened.
    var kind: FailureKind {
        switch code {
        case .invalidPlaylist, .unsupported: .parse
        case .mux, .verify, .toolMissing: .mux
        case .database: .database
        case .refused where !(cause is HTTPError): .parse
        default:
            switch cause {
            case is PlaylistError: .parse
            case is MediaError: .mux
            case is SQLiteError: .database
            default: .download
            }
        }
    }

    /// What is refused by name is no fault of the program or the server.
    fileprivate var level: ReportLevel {
        switch code {
        case .refused, .unsupported, .privateAddress: .info
        default: .error
        }
    }
}

extension Library {
    /// The version of the program.
    package static let version = "1.0.0"
}
