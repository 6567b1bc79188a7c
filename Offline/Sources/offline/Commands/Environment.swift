// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import OfflineModel
import Tidings
import TidingsDiagnostics
import TidingsFiles

/// The library's folder and the reports that a command works with.
struct Environment: Sendable {
    let directory: LibraryDirectory
    private let recording: Result<LibraryReports, LibraryError>

    /// Creates an environment and starts to record failures and crashes.
    ///
    /// - Parameters:
    ///   - directory: The folder of the library.
    ///   - createsLibrary: Whether to create a missing folder.
    ///   - settings: The capture mode and the destination of the reports.
    init(_ directory: LibraryDirectory, createsLibrary: Bool, _ settings: ReportingSettings) {
        self.directory = directory
        recording = Self.begin(directory, createsLibrary: createsLibrary, settings)
    }

    private static func begin(
        _ directory: LibraryDirectory,
        createsLibrary: Bool,
        _ settings: ReportingSettings
    ) -> Result<LibraryReports, LibraryError> {
        guard createsLibrary || SystemFile.exists(directory.data) else {
            return .failure(
                LibraryError(
                    .notFound,
                    "There is no library in \(directory.media). Create one with `offline get`."
                )
            )
        }
        do throws(DiagnosticsError) {
            return .success(try LibraryReports(directory, settings))
        } catch {
            return .failure(LibraryError(.cannotOpen, error.message, cause: error))
        }
    }

    /// The reports, or nil if nothing can be recorded.
    ///
    /// Most commands tolerate a missing record.
    var reports: LibraryReports? { try? recording.get() }

    /// Returns the reports for a command that cannot run without them.
    ///
    /// - Throws: `LibraryError` with the reason why nothing can be recorded.
    func requireReports() throws(LibraryError) -> LibraryReports { try recording.get() }
}
