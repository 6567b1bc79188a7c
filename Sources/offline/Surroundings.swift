// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsDiagnostics

/// What a command works on.
struct Surroundings: Sendable {
    let directory: LibraryDirectory
    private let recording: Result<LibraryReports, LibraryError>

    /// Begins to record what goes wrong.
    ///
    /// - Parameters:
    ///   - directory: Where the library is, or will be.
    ///   - makes: Whether the folder is made when it is not there.
    ///   - settings: What is recorded, and where it may go.
    init(_ directory: LibraryDirectory, makes: Bool, _ settings: ReportingSettings) {
        self.directory = directory
        recording = Self.begin(directory, makes: makes, settings)
    }

    private static func begin(
        _ directory: LibraryDirectory,
        makes: Bool,
        _ settings: ReportingSettings
    ) -> Result<LibraryReports, LibraryError> {
        guard makes || Disk.exists(directory.path) else {
            return .failure(LibraryError(.notFound, "There is no library in \(directory.path)."))
        }
        do throws(DiagnosticsError) {
            return .success(try LibraryReports(directory, settings))
        } catch {
            return .failure(LibraryError(.cannotOpen, error.message, cause: error))
        }
    }

    /// Nil where nothing can be recorded; most work goes on without.
    var reports: LibraryReports? { try? recording.get() }

    /// The same for work that does not.
    func requireReports() throws(LibraryError) -> LibraryReports { try recording.get() }
}
