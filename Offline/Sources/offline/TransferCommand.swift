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
        let items = report.items == 1 ? "1 item" : "\(report.items) items"
        Terminal.note(
            path == "-" ? "Exported \(items)." : "Exported \(items) to \(Terminal.clean(path))."
        )
        guard report.withoutOptions > 0 else { return }
        Terminal.note(
            "Headers, cookies and proxies with a password are left out, because the text would "
                + "reveal them: of \(report.withoutOptions) of the items."
        )
    }

    /// Writes the text beside its place first, so that a failure leaves an earlier one as it is.
    private func export() throws -> LibraryExport.Report {
        let export = LibraryExport(environment.directory)
        guard path != "-" else {
            let output = try FileDescriptor("/dev/stdout", O_WRONLY | O_APPEND)
            return try export.run { try output.write($0) }
        }
        let part = "\(path).part-\(getpid())"
        defer { _ = try? SystemFile.remove(part) }
        do {
            let file = try FileDescriptor(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            let report = try export.run { try file.write($0) }
            try file.sync()
            try SystemFile.rename(part, to: path)
            return report
        } catch let error as SystemError {
            throw LibraryError(
                .cannotOpen,
                "\(path) cannot be written (\(error.descriptionWithPath)). Choose another file."
            )
        }
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
            result = .success(try await library.importItems(file))
        } catch {
            result = .failure(error)
        }
        await library.stop()
        Terminal.print(Self.text(try result.get()))
    }

    /// Returns the result for people.
    static func text(_ report: ImportReport) -> String {
        let items = report.items == 1 ? "1 item" : "\(report.items) items"
        let sums = [
            (report.known, "known already"), (report.ready, "ready"),
            (report.missing, "without a file (`offline resume NUMBER` downloads it again)"),
            (report.unfinished, "unfinished (`offline resume NUMBER` continues)"),
        ]
        let parts = sums.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var text = "Imported \(items)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        text += "."
        if report.withoutOptions > 0 {
            text +=
                "\nHeaders, cookies or a proxy are not in the text: of "
                + "\(report.withoutOptions) of the items. `offline get` with them adds them again."
        }
        return text
    }
}
