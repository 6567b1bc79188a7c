// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsDiagnostics

/// Records what went wrong, with what happened before it, in the library's folder.
///
/// What was posted on the library's message center before a failure comes along by itself.
final class FailureReports: Sendable {
    let reporter: DiagnosticsReporter
    private let library: Library
    private let hub: EventHub

    init(library: Library, hub: EventHub) throws(ServerError) {
        self.library = library
        self.hub = hub
        do {
            reporter = try DiagnosticsReporter.start(
                .init(
                    application: "offline",
                    release: "offline@1.0",
                    directory: library.directory.reports
                )
            )
        } catch {
            throw ServerError(
                .badConfiguration,
                "The folder for reports, \(library.directory.reports), cannot be used.",
                cause: error
            )
        }
    }

    /// Begins to follow the library.
    func start() {
        reporter.follow(library.messages)
        library.messages.observe(DownloadFailed.self, owner: self) { reports, message in
            reports.record(message.item, message.error)
        }
    }

    /// Records a failure of the registry while a request was answered.
    func recordDatabaseFailure(_ error: any Error, operation: String) {
        reporter.recordDatabaseFailure(error, operation: operation)
        hub.reportsChanged()
    }

    private func record(_ item: MediaItem, _ error: DownloadError) {
        let items = library.journal.items.lastData ?? []
        reporter.setValue(
            .integer(items.filter(\.state.isActive).count),
            forKey: "active_downloads"
        )
        reporter.setValue(.integer(items.count), forKey: "library_items")
        let address = item.source.redacted
        switch error.code {
        case .invalidPlaylist, .refused, .unsupported:
            reporter.recordParseFailure(error, address: address)
        case .mux, .verify, .notMedia, .toolMissing:
            let segments = library.board.progress(of: item.id)?.totalSegments
            reporter.recordMuxFailure(error, segments: segments)
        case .database:
            reporter.recordDatabaseFailure(error, operation: "download")
        default:
            reporter.recordDownloadFailure(error, address: address)
        }
        hub.reportsChanged()
    }
}

extension DiagnosticsReporter {
    /// The key under which a report says which family it belongs to.
    static var kindKey: String { "kind" }

    /// Records that bytes could not be fetched.
    func recordDownloadFailure(_ error: any Error, address: String) {
        record(error, context: [Self.kindKey: "download", "address": .text(address)])
    }

    /// Records that an answer was not what the library can keep.
    func recordParseFailure(_ error: any Error, address: String) {
        record(error, context: [Self.kindKey: "parse", "manifest": .text(address)])
    }

    /// Records that parts did not become one file.
    func recordMuxFailure(_ error: any Error, segments: Int?) {
        var context: [String: ReportValue] = [Self.kindKey: "mux"]
        context["segments"] = segments.map { .integer($0) }
        record(error, context: context)
    }

    /// Records that the registry refused.
    func recordDatabaseFailure(_ error: any Error, operation: String) {
        record(error, context: [Self.kindKey: "database", "operation": .text(operation)])
    }
}
