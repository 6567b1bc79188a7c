// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsSQLite

/// Registers the files of the library's media folder that do not belong to an item.
///
/// Media must still pass the check of an `ImportWork`. After a kill, the next import registers the
/// remaining files.
struct FileImport: Sendable {
    /// The number of files that one transaction registers.
    ///
    /// Each transaction waits for the disk.
    private static let batchSize = 256

    let library: Library
    private let subtitles: SubtitleIndex

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - library: The library that gets the items.
    ///   - names: All names in the media folder of the library.
    init(library: Library, names: [String]) {
        self.library = library
        subtitles = SubtitleIndex(names)
    }

    /// Imports files, and adds the results to the report in the order of the files.
    func run(_ files: [RefreshReport.File], _ report: inout RefreshReport) {
        var rest = files[...]
        while !rest.isEmpty {
            var found: [ImportedFile] = []
            for file in rest.prefix(Self.batchSize) {
                do throws(DownloadError) {
                    found.append(try read(file))
                } catch {
                    note(file, error, in: &report)
                }
            }
            rest = rest.dropFirst(Self.batchSize)
            guard register(found, &report) else {
                report.orphans += rest
                return
            }
        }
    }

    private func read(_ file: RefreshReport.File) throws(DownloadError) -> ImportedFile {
        try ImportedFile(
            file.name,
            size: file.size,
            in: library.directory,
            beside: subtitles.files(of: file.name)
        )
    }

    /// Returns false if the disk is full, because no other file can be registered then.
    private func register(_ files: [ImportedFile], _ report: inout RefreshReport) -> Bool {
        do throws(SQLiteError) {
            let items = try library.journal.insert(files, at: Date())
            report.imported += items.map(RefreshReport.Entry.init)
            return true
        } catch {
            if error.code == .full {
                report.problems.append(
                    "The disk is full. Free some space, then import the other files."
                )
                report.orphans += files.map { .init(name: $0.name, size: $0.size) }
                return false
            }
            // A failure with one row must not stop the other files.
            if files.count > 1 { return files.allSatisfy { register([$0], &report) } }
            note(.init(name: files[0].name, size: files[0].size), DownloadError(error), in: &report)
            return true
        }
    }

    private func note(
        _ file: RefreshReport.File,
        _ error: DownloadError,
        in report: inout RefreshReport
    ) {
        report.problems.append("\(file.name) could not be imported: \(error.message)")
        report.orphans.append(file)
    }
}
