// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsSQLite

/// Imports the files of the library's media folder that belong to no item.
///
/// It makes no pictures, which take longer than all the rest. A kill in between leaves the other
/// files to the next import.
struct FileImport: Sendable {
    /// The number of files that one transaction registers, of which each costs a wait for the disk.
    private static let batchSize = 32
    /// The number of files that are read at a time: most of them need a process.
    private static let readerCount = 2

    private typealias Reading = Result<ImportedFile, DownloadError>

    let library: Library
    /// The names of films, without their extensions, that may have subtitles beside them.
    let filmsWithSubtitles: Set<String>

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - library: The library that gets the items.
    ///   - names: All names in its media folder.
    init(library: Library, names: [String]) {
        self.library = library
        filmsWithSubtitles = Set(
            names.filter(SubtitleFile.isSubtitle).flatMap(SubtitleFile.possibleStems)
        )
    }

    /// Imports files and adds the results to the report, in their order.
    func run(_ files: [RefreshReport.File], _ report: inout RefreshReport) async {
        var rest = files[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(batch.count)
            var found: [ImportedFile] = []
            for (file, reading) in zip(batch, await read(batch)) {
                switch reading {
                case .success(let file): found.append(file)
                case .failure(let error): note(file, error, &report)
                }
            }
            register(found, &report)
        }
    }

    /// Returns the readings of files in their order.
    private func read(_ files: [RefreshReport.File]) async -> [Reading] {
        await withTaskGroup(of: (Int, Reading).self) { group in
            var readings: [Int: Reading] = [:]
            for (index, file) in files.enumerated() {
                if index >= Self.readerCount, let (index, reading) = await group.next() {
                    readings[index] = reading
                }
                group.addTask { (index, await read(file)) }
            }
            for await (index, reading) in group { readings[index] = reading }
            return files.indices.compactMap { readings[$0] }
        }
    }

    private func read(_ file: RefreshReport.File) async -> Reading {
        do throws(DownloadError) {
            return .success(
                try await ImportedFile(
                    file.name,
                    size: file.size,
                    in: library.directory,
                    hasSubtitles: filmsWithSubtitles.contains(SubtitleFile.stem(of: file.name))
                )
            )
        } catch {
            return .failure(error)
        }
    }

    private func register(_ files: [ImportedFile], _ report: inout RefreshReport) {
        do throws(SQLiteError) {
            let items = try library.journal.insert(files, at: Date())
            report.imported += items.map(RefreshReport.Entry.init)
        } catch {
            guard files.count == 1 else {
                // The row of one file must not stop the others.
                for file in files { register([file], &report) }
                return
            }
            note(.init(name: files[0].name, size: files[0].size), DownloadError(error), &report)
        }
    }

    private func note(
        _ file: RefreshReport.File,
        _ error: DownloadError,
        _ report: inout RefreshReport
    ) {
        report.problems.append("\(file.name) could not be imported: \(error.message)")
        report.orphans.append(file)
    }
}
