// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsSQLite

extension Library {
    /// Compares the registry with the disk in both directions.
    ///
    /// Deletes nothing by itself, goes on past what it cannot read, and flags nothing when more
    /// than half of the library would be flagged and nobody agreed to that.
    package func refresh(
        _ options: RefreshOptions = .init()
    ) async throws(LibraryError) -> RefreshReport {
        do {
            let report = try await Refresh(library: self, options: options).run()
            journal.post(DownloadsListRefreshed(report: report))
            journal.delegates.notify(on: .main) { $0.downloadsListDidRefresh() }
            return report
        } catch {
            throw LibraryError(error)
        }
    }
}

/// One comparison of the registry with the disk.
struct Refresh: Sendable {
    let library: Library
    let options: RefreshOptions

    private var journal: ItemJournal { library.journal }
    private var directory: LibraryDirectory { library.directory }

    @concurrent
    func run() async throws -> RefreshReport {
        var report = RefreshReport()
        // The names first: a file that a running download renames meanwhile is then known below.
        let names = Disk.names(in: directory.media)
        let items = try journal.registry.items()
        compare(items.filter { $0.state == .ready || $0.state == .missing }, &report)
        if options.removeMissing, !report.needsConfirmation {
            await removeMissing(&report)
        }
        let known = Set(items.compactMap(\.fileName))
        await lookAt(names.filter { !known.contains($0) }, &report)
        return report
    }

    private func compare(_ items: [MediaItem], _ report: inout RefreshReport) {
        report.checked = items.count
        var gone: [MediaItem] = []
        for item in items {
            let isThere = isFileThere(item, &report)
            if isThere, item.state == .missing {
                if record(.ready, of: item, &report) { report.returned.append(.init(item)) }
            } else if !isThere {
                gone.append(item)
            }
        }
        let fresh = gone.filter { $0.state == .ready }
        let ready = items.filter { $0.state == .ready }.count
        if fresh.count * 2 > ready, !options.isConfirmed {
            report.needsConfirmation = true
            report.missing = gone.map(RefreshReport.Entry.init)
            return
        }
        for item in fresh { _ = record(.missing, of: item, &report) }
        report.missing = gone.map(RefreshReport.Entry.init)
    }

    /// Returns whether the registry took it; what fails is in the report.
    ///
    /// An item that went on meanwhile is left alone.
    private func record(
        _ state: ItemState,
        of item: MediaItem,
        _ report: inout RefreshReport
    ) -> Bool {
        do {
            return try journal.change(item.id, in: item.state, .state(state)) != nil
        } catch {
            report.problems.append("Item \(item.id) could not be flagged: \(error.message)")
            return false
        }
    }

    private func isFileThere(_ item: MediaItem, _ report: inout RefreshReport) -> Bool {
        guard let name = item.fileName else { return false }
        guard let size = Disk.size(of: directory.mediaFile(name)) else { return false }
        if size == item.size { return true }
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

    private func lookAt(_ names: [String], _ report: inout RefreshReport) async {
        for name in names {
            guard let size = Disk.size(of: directory.mediaFile(name)) else {
                report.problems.append("\(Title(name, fallback: "A name")) is not a plain file.")
                continue
            }
            guard options.importFiles else {
                report.orphans.append(.init(name: name, size: size))
                continue
            }
            do {
                let item = try await ImportedFile(library: library, name: name, size: size).run()
                report.imported.append(.init(item))
            } catch {
                report.problems.append("\(name) could not be imported: \(error.message)")
                report.orphans.append(.init(name: name, size: size))
            }
        }
    }
}

extension RefreshReport.Entry {
    init(_ item: MediaItem) {
        self.init(id: item.id, title: item.title)
    }
}
