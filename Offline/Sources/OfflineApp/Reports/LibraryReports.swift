// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineDownloads
package import OfflineLibrary
import OfflineMedia
package import OfflineModel
import OfflineStore
package import Tidings
package import TidingsDiagnostics
import TidingsHTTP
import TidingsLock
import TidingsSQLite
import TidingsUserNotifications

/// Records the failures of a library, with the breadcrumbs before them, in the library's folder.
///
/// The library does not refer to this object, but posts messages that this object observes. The
/// recording starts before the library is opened, so that a failure to open the library is
/// included.
package final class LibraryReports: ReportRecorder {
    private struct WeakLibrary: Sendable {
        weak let library: Library?
    }

    let reporter: CrashReporter
    private let directory: LibraryDirectory
    let settings: ReportingSettings
    let crashLookup = Lock<CrashLookup>(.pending)
    private let followed = Lock(WeakLibrary(library: nil))

    /// Starts the recording and creates the folder of the reports.
    ///
    /// - Parameters:
    ///   - directory: The directory of the library, which may not exist yet.
    ///   - settings: The settings of recording and sending.
    /// - Throws: `DiagnosticsError` if the folder is not usable.
    package init(
        _ directory: LibraryDirectory,
        _ settings: ReportingSettings = ReportingSettings()
    ) throws(DiagnosticsError) {
        // The folder gets the access rights that the library requires. If this fails, opening the
        // library reports the error.
        try? directory.createData()
        let sink = settings.sink.map { ObservedReportSink($0) }
        var configuration = CrashReporter.Configuration(
            application: "offline",
            release: "offline@\(Library.version)",
            directory: directory.reports,
            sink: sink as (any ReportSink)?
        )
        configuration.capture = settings.capture
        configuration.capturesStandardError = settings.capturesStandardError
        self.settings = settings
        self.directory = directory
        reporter = try CrashReporter.start(configuration)
        sink?.observe { [weak self] in self?.postChangeAfterSending() }
    }

    /// Observes a library until the library or this object is released.
    package func follow(_ library: Library) {
        followed.withLock { $0 = WeakLibrary(library: library) }
        let messages = library.messages
        reporter.follow(messages)
        library.journal.counts.observe(owner: self) { reports, state in
            if let counts = state.value { reports.setValues(counts) }
        }
        if let damage = library.open.damage {
            reporter.recordDatabaseFailure(
                PathlessError(damage.error, of: library.directory),
                operation: "open"
            )
            // If this fails, the next opening reports the damage again.
            try? library.open.forgetDamage()
        }
        messages.observe(DownloadFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: message.item)
        }
        messages.observe(RegistryFailed.self, owner: self) { reports, message in
            reports.record(message)
        }
        messages.observe(UserNotificationStoreFailed.self, owner: self) { reports, message in
            // The sender of a notification chose the picture, which may be missing, too large or
            // not a file.
            guard message.error.code != .pictureNotCopied else { return }
            reports.record(message.error, of: "notifications")
        }
        messages.observe(CatalogStoreFailed.self, owner: self) { reports, message in
            reports.record(message.error, of: "catalog")
        }
    }

    /// Records the messages of a center as breadcrumbs, without a library.
    package func follow(_ messages: MessageCenter) {
        reporter.follow(messages)
    }

    /// Records the failure of a command to open, read or change its library.
    ///
    /// Other errors of a command are not faults of the library and are only printed.
    package func recordFailure(_ error: any Error, of command: String) {
        let codes: Set<LibraryError.Code> = [
            .cannotOpen, .newerVersion, .damaged, .migrationFailed, .database,
        ]
        guard let error = error as? LibraryError, codes.contains(error.code) else { return }
        reporter.recordDatabaseFailure(PathlessError(error, of: directory), operation: command)
    }

    /// Ends the recording and waits until all reports are on the disk.
    ///
    /// - Parameter timeout: The time to wait for reports that are being sent.
    package func close(timeout: Duration = .seconds(1)) async {
        await reporter.close(timeout: timeout)
    }

    /// Posts the change after the reporter has removed the sent report from the list.
    private func postChangeAfterSending() {
        Task { [weak self] in
            await self?.reporter.flush(timeout: .seconds(5))
            self?.postChange()
        }
    }

    /// Posts `ReportsChanged`.
    func postChange() {
        library?.messages.post(ReportsChanged())
    }

    var library: Library? { followed.withLock { $0.library } }

    private func record(_ error: DownloadError, of item: MediaItem) {
        guard error.concernsDevelopers else { return }
        let address = item.origin.redacted
        switch error.kind {
        case .download:
            reporter.recordDownloadFailure(error, address: address, retries: error.retries)
        case .parse:
            reporter.recordParseFailure(error, manifest: address)
        case .mux:
            // The parts may be unreadable, but the failure is recorded in any case.
            let segments = (try? library?.journal.downloads.partCount(of: item.id)) ?? 0
            reporter.recordMuxFailure(error, segments: segments)
        case .database:
            reporter.recordDatabaseFailure(error, operation: "download")
        }
        postChange()
    }

    private func record(_ failure: RegistryFailed) {
        reporter.recordDatabaseFailure(failure.error, operation: failure.operation)
        postChange()
    }

    private func record(_ error: any Error, of operation: String) {
        reporter.record(
            PathlessError(error, of: directory),
            context: ["operation": .text(operation)]
        )
        postChange()
    }

    /// Sets the values at each change of the items, so that a crash report contains current values.
    private func setValues(_ counts: ItemCounts) {
        reporter.setValue(.integer(counts.waiting), forKey: "download_queue_size")
        reporter.setValue(.integer(counts.videos), forKey: "video_count")
    }
}

extension DownloadError {
    /// The part of the work that failed.
    var kind: FailureKind {
        switch code {
        case .invalidPlaylist, .unsupported: .parse
        case .mux, .toolMissing: .mux
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
}
