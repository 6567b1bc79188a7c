// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsFiles
import TidingsSQLite

/// `offline export` and `offline import`: the list of the library as text.
struct TransferCommand {
    /// The direction.
    enum Way: Equatable {
        case export
        case `import`
    }

    let way: Way
    /// The path of the text; `-` is the standard output or input.
    let path: String
    /// Whether an import keeps the permission for private addresses.
    let allowsPrivate: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        switch way {
        case .export: try await write()
        case .import: try await read()
        }
        return .success
    }

    private func write() async throws {
        var report: LibraryExport.Report
        do {
            report = try export()
        } catch let error as SQLiteError where error.code == .olderSchema {
            // The opening migrates the registry.
            await (try await LibraryAccess.open(environment)).stop()
            report = try export()
        } catch let error as SQLiteError {
            throw LibraryError(opening: error)
        }
        let more = [(report.collections, "collection"), (report.feeds, "feed")]
            .filter { $0.0 > 0 }.map { " and " + Self.count($0.0, $0.1) }
        let items = Self.count(report.items, "item") + more.joined()
        Terminal.note(
            path == "-" ? "Exported \(items)." : "Exported \(items) to \(Terminal.clean(path))."
        )
        guard report.withoutOptions > 0 else { return }
        Terminal.note(
            "\(report.withoutOptions) of them had headers, cookies or a proxy with a password, which "
                + "are left out, because the text would reveal them."
        )
    }

    private func export() throws -> LibraryExport.Report {
        let export = LibraryExport(environment.directory)
        guard path != "-" else {
            let output = try FileDescriptor("/dev/stdout", O_WRONLY | O_APPEND)
            return try export.run { try output.write($0) }
        }
        do {
            return try write(export)
        } catch let error as SystemError {
            throw LibraryError(
                .cannotOpen,
                "\(path) cannot be written (\(error.descriptionWithPath)). Choose another file."
            )
        }
    }

    /// Returns the file behind a link, so that the link stays.
    private static func target(_ path: String) throws(SystemError) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let resolved = realpath(path, nil) else { throw SystemError("open", path: path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Writes the text beside its place first, so that a failure leaves an earlier one as it is.
    private func write(_ export: LibraryExport) throws -> LibraryExport.Report {
        var status = stat()
        // A pipe or a device takes the text itself.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let output = try FileDescriptor(path, O_WRONLY)
            return try export.run { try output.write($0) }
        }
        let path = try Self.target(path)
        let part = "\(path).part-\(getpid())"
        defer { _ = try? SystemFile.remove(part) }
        let file = try FileDescriptor(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        let report = try export.run { try file.write($0) }
        try file.sync()
        try SystemFile.rename(part, to: path)
        return report
    }

    private func read() async throws {
        let file: FileDescriptor
        do {
            file = try FileDescriptor(path == "-" ? "/dev/stdin" : path, O_RDONLY)
        } catch {
            throw LibraryError(
                .cannotOpen,
                "\(path) cannot be read (\(error.descriptionWithPath)). Check its name."
            )
        }
        let library = try await LibraryAccess.open(environment)
        let result: Result<ImportReport, any Error>
        do {
            result = .success(try await library.importItems(file, allowsPrivate: allowsPrivate))
        } catch {
            result = .failure(error)
        }
        await library.stop()
        Terminal.print(Self.text(try result.get()))
    }

    /// Returns the result for people.
    static func text(_ report: ImportReport) -> String {
        let items = count(report.items, "item")
        let sums = [
            (report.known, "known already"), (report.ready, "ready"),
            (report.missing, "without a file (`offline resume NUMBER` downloads it again)"),
            (report.unfinished, "unfinished (`offline resume NUMBER` continues)"),
        ]
        let parts = sums.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var text = "Imported \(items)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        text += "."
        if report.feeds > 0 {
            text += "\nFollowing \(count(report.feeds, "feed")) of the text"
            text += report.knownFeeds > 0 ? ", \(report.knownFeeds) of them already." : "."
        }
        if report.collections > 0 {
            text += "\nTook \(count(report.collections, "collection")) of the text"
            text +=
                report.knownCollections > 0
                ? ", \(report.knownCollections) of them into those of the same name." : "."
        }
        if report.settings > 0 { text += "\nTook \(count(report.settings, "setting"))." }
        if report.skippedSettings > 0 {
            text += "\nLeft out \(count(report.skippedSettings, "setting")) of another version."
        }
        if report.withoutPermission > 0 {
            let need = report.withoutPermission == 1 ? "needs" : "need"
            text +=
                "\n\(report.withoutPermission) of the items and feeds \(need) private addresses, which "
                + "`offline import --allow-private` permits."
        }
        if report.withoutOptions > 0 {
            text +=
                "\n\(report.withoutOptions) of the items and feeds had headers, cookies or a proxy, "
                + "which the text does not contain. `offline get` or `offline follow` with them adds "
                + "them again."
        }
        return text
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
