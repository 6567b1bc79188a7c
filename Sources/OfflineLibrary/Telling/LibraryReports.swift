// SPDX-License-Identifier: Apache-2.0
package import Tidings
package import TidingsDiagnostics
import TidingsHTTP
import TidingsSQLite
import TidingsUserNotifications

/// Records what goes wrong in a library, with what happened before it, in the library's folder.
///
/// The library knows nothing of this: it posts messages, and this observes them. It begins before
/// there is a library, so that a failure to open one is not missed.
package final class LibraryReports: Sendable {
    private struct Followed: Sendable {
        weak let library: Library?
    }

    let reporter: CrashReporter
    let settings: ReportingSettings
    /// What was found of the crash of the run before this one, once somebody has looked.
    let lastCrash = Lock<FoundCrash>(.notLooked)
    private let followed = Lock(Followed(library: nil))

    /// Begins to record, and makes the folder for reports.
    ///
    /// - Parameters:
    ///   - directory: Of the library whose failures are recorded; it may not be there yet.
    ///   - settings: What is recorded, and where it may go.
    /// - Throws: `DiagnosticsError` when the folder cannot be used.
    package init(
        _ directory: LibraryDirectory,
        _ settings: ReportingSettings = ReportingSettings()
    ) throws(DiagnosticsError) {
        // As the library itself would make it; what fails here fails there, and is told there.
        try? Disk.makeFolder(directory.path)
        let watch = settings.sink.map { SendingWatch($0) }
        var configuration = CrashReporter.Configuration(
            application: "offline",
            release: "offline@\(Library.version)",
            directory: directory.reports,
            sink: watch as (any ReportSink)?
        )
        configuration.capture = settings.capture
        configuration.capturesStandardError = settings.capturesStandardError
        self.settings = settings
        reporter = try CrashReporter.start(configuration)
        watch?.observe { [weak self] in self?.tellOfSending() }
    }

    /// Follows the library, for as long as both live.
    package func follow(_ library: Library) {
        followed.withLock { $0 = Followed(library: library) }
        let messages = library.messages
        reporter.follow(messages)
        library.journal.items.observe(owner: self) { $0.setKeys($1.data ?? []) }
        messages.observe(DownloadFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: message.item)
        }
        messages.observe(RegistryFailed.self, owner: self) { reports, message in
            reports.record(message)
        }
        messages.observe(NotificationStoreFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: "notifications")
        }
        messages.observe(CatalogueStoreFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: "catalogue")
        }
    }

    /// Follows messages alone, where there is no library to follow.
    package func follow(_ messages: MessageCenter) {
        reporter.follow(messages)
    }

    /// Ends the recording: what was recorded before the call is on disk when it returns.
    ///
    /// - Parameter timeout: How long to wait for what is sent.
    package func close(timeout: Duration = .seconds(1)) async {
        await reporter.close(timeout: timeout)
    }

    /// What was accepted is out of the list a moment later.
    private func tellOfSending() {
        Task { [weak self] in
            await self?.reporter.flush(timeout: .seconds(5))
            self?.tellChange()
        }
    }

    /// Says that the list of reports is another one.
    func tellChange() {
        library?.messages.post(ReportsChanged())
    }

    var library: Library? { followed.withLock { $0.library } }

    private func record(_ error: DownloadError, of item: MediaItem) {
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
            let segments = (try? library?.journal.registry.segments(of: item.id))?.count ?? 0
            reporter.recordMuxFailure(error, segments: segments)
        case .database:
            reporter.recordDatabaseFailure(error, operation: "download")
        }
        tellChange()
    }

    private func record(_ failure: RegistryFailed) {
        reporter.recordDatabaseFailure(failure.error, operation: failure.operation)
        tellChange()
    }

    private func record(_ error: any Error, of operation: String) {
        reporter.record(error, context: ["operation": .text(operation)])
        tellChange()
    }

    /// Set whenever they change, so that the report of a crash has them too.
    private func setKeys(_ items: [MediaItem]) {
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
