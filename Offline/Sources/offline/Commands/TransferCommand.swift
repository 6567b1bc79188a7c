// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import TidingsFiles
import TidingsSQLite

/// `offline export` and `offline import`: the list of the library as text.
struct TransferCommand: Command {
    static var forms: [CommandForm] {
        Form("export", Self(isImport: false), help: "Writes the library as text.")
            .details(
                """
                The text has items, chapters, collections, followed feeds and settings, without \
                the files and without secrets. The FILE - is the standard output.
                """
            )
            .argument(.path("FILE"), into: \.path)
        Form(
            "import",
            Self(isImport: true),
            help: "Adds the contents of such a text to the library."
        )
        .details(
            """
            Adds the items, collections, feeds and settings that the library does not have. \
            Files in the library's folder count as ready. No download of an item starts by \
            itself. The FILE - is the standard input.
            """
        )
        .argument(.path("FILE"), into: \.path)
        .options([
            .flag("--allow-private", into: \.allowsPrivate):
                "keep the permission of items and feeds for private addresses"
        ])
    }

    let isImport: Bool
    /// The path of the text, of which `-` is the standard output or input.
    var path = ""
    var allowsPrivate = false

    var library: LibraryUse { isImport ? .created : .required }

    func run(in environment: Environment) async throws -> ExitStatus {
        try await isImport ? read(environment) : write(environment)
        return .success
    }

    private func write(_ environment: Environment) async throws {
        var report: LibraryExport.Report
        do {
            report = try export(environment.directory)
        } catch let error as SQLiteError where error.code == .olderSchema {
            // Opening the library migrates the registry.
            await (try await LibraryAccess.open(environment)).stop()
            report = try export(environment.directory)
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

    private func export(_ directory: LibraryDirectory) throws -> LibraryExport.Report {
        let export = LibraryExport(directory)
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

    /// Writes the text to a file beside the target first, so that a failure leaves an earlier
    /// target unchanged.
    private func write(_ export: LibraryExport) throws -> LibraryExport.Report {
        var status = stat()
        // A pipe or a device receives the text directly.
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

    private func read(_ environment: Environment) async throws {
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
            let text = LibraryText(file, allowsPrivate: allowsPrivate)
            result = .success(try await library.call(API.library.importText, text))
        } catch {
            result = .failure(error)
        }
        await library.stop()
        Terminal.print(Self.text(try result.get()))
    }

    /// Returns the result for the user.
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
