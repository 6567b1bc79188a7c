// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Compares the registry with the disk in both directions.
    ///
    /// The refresh deletes no files, and removes and imports items only if the options allow this.
    /// An error of one file or row does not stop the refresh. Without `isConfirmed`, the refresh
    /// marks no item as missing if more than half of the ready items would become missing.
    package func refresh(
        _ options: RefreshOptions = .init()
    ) async throws(LibraryError) -> RefreshReport {
        do {
            var report = try await Refresh(library: self, options: options).run()
            let checks = try await importWork.checkFew()
            report.problems += checks.problems
            report.failures += checks.failures
            report.unverified = try journal.items.numberToCheck()
            importWork.wake()
            return report
        } catch {
            throw LibraryError(error)
        }
    }
}

/// A comparison of the registry with the disk.
struct Refresh: Sendable {
    let library: Library
    let options: RefreshOptions

    private var journal: ItemJournal { library.journal }
    private var directory: LibraryDirectory { library.directory }

    @concurrent
    func run() async throws -> RefreshReport {
        var report = RefreshReport()
        // The names come first, so that the items below include files that a download has just
        // renamed.
        let names = SystemFile.names(in: directory.media)
        let items = try journal.items.items()
        compare(items.filter(\.hasListedFile), &report)
        if options.removeMissing, !report.needsConfirmation {
            await removeMissing(&report)
        }
        let known = Set(items.compactMap(\.fileName))
        // A hidden file is not the user's media.
        let others = names.filter { !known.contains($0) && !$0.hasPrefix(".") }
        // Subtitles belong to the film beside them, even if no item lists the film.
        let films = Set(names).intersection(known).union(others)
        let files = LibraryDirectory.withoutSubtitles(others, of: films)
        importFiles(files, in: names, &report)
        return report
    }

    private func compare(_ items: [MediaItem], _ report: inout RefreshReport) {
        report.checked = items.count
        var gone: [MediaItem] = []
        for item in items {
            guard fileExists(item, &report) else {
                gone.append(item)
                continue
            }
            switch item.state {
            case .missing:
                let move: ItemMove = item.isChecked ? .find : .recheck
                if record(move, of: item, &report) { report.returned.append(.init(item)) }
            case .failed where size(of: item) != item.size:
                _ = record(.recheck, of: item, &report)
            case .queued, .fetchingPlaylist, .fetching, .muxing, .verifying, .unverified, .paused,
                .ready, .failed:
                break
            }
        }
        let fresh = gone.filter { $0.state != .missing }
        let present = items.filter { $0.state != .missing }.count
        if fresh.count * 2 > present, !options.isConfirmed {
            report.needsConfirmation = true
            report.missing = gone.map(RefreshReport.Entry.init)
            return
        }
        for item in fresh { _ = record(.lose, of: item, &report) }
        report.missing = gone.map(RefreshReport.Entry.init)
    }

    /// Returns whether the move was recorded, and adds a failure to the report.
    ///
    /// A move is not recorded if the item's state has changed in the meantime.
    private func record(
        _ move: ItemMove,
        of item: MediaItem,
        _ report: inout RefreshReport
    ) -> Bool {
        do {
            return try (move == .recheck ? journal.recheck(item.id) : journal.move(item.id, move))
                != nil
        } catch {
            report.problems.append("Item \(item.id) could not be updated: \(error.message)")
            return false
        }
    }

    private func size(of item: MediaItem) -> Int64? {
        item.fileName.flatMap { SystemFile.size(of: directory.mediaFile($0)) }
    }

    private func fileExists(_ item: MediaItem, _ report: inout RefreshReport) -> Bool {
        guard let size = size(of: item) else { return false }
        // The check of an unchecked item accepts a file of any size, and records the size.
        if size == item.size || !item.isChecked { return true }
        report.problems.append(
            "The file of item \(item.id) has \(size) bytes instead of \(item.size ?? 0)."
        )
        return false
    }

    private func removeMissing(_ report: inout RefreshReport) async {
        for entry in report.missing {
            do throws(LibraryError) {
                try await library.remove(entry.id, withFile: false)
                report.removed.append(entry)
            } catch {
                report.problems.append("Item \(entry.id) could not be removed: \(error.message)")
            }
        }
        report.missing.removeAll { report.removed.contains($0) }
    }

    /// Imports or lists files.
    ///
    /// `folder` has all names in the media folder.
    private func importFiles(
        _ names: [String],
        in folder: [String],
        _ report: inout RefreshReport
    ) {
        var files: [RefreshReport.File] = []
        for name in names {
            let path = directory.mediaFile(name)
            guard let size = SystemFile.size(of: path) else {
                if !SystemFile.isFolder(path) {
                    report.problems.append("\(name) is not a regular file.")
                    if options.importFiles { report.failures += 1 }
                }
                continue
            }
            files.append(.init(name: name, size: size))
        }
        if options.importFiles {
            FileImport(library: library, names: folder).run(files, &report)
            report.failures += report.orphans.count
        } else {
            report.orphans = files
        }
    }
}

extension MediaItem {
    /// Whether the item has, or had, a file in the media folder.
    fileprivate var hasListedFile: Bool {
        switch fields.state {
        case .ready, .missing, .unverified: true
        case .failed: isImported && fields.fileName != nil
        case .queued, .fetchingPlaylist, .fetching, .muxing, .verifying, .paused: false
        }
    }

    /// Whether the file was ready once.
    fileprivate var isChecked: Bool {
        !isImported || fields.readyAt != nil && fields.state != .failed
    }
}

extension RefreshReport.Entry {
    init(_ item: MediaItem) {
        self.init(id: item.id, title: item.title)
    }
}
