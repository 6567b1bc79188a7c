// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel

/// `offline refresh`: compares the library with the disk.
struct RefreshCommand: Command {
    static var forms: [CommandForm] {
        Form("refresh", Self(), help: "Compares the library with the disk.")
            .details(
                """
                Deletes no files. Imported films play after a check: of up to 100 at once, of more \
                in the background of `offline serve`, which also makes their pictures. Exits with \
                1 if a file could not be imported or cannot be played; the others are imported.
                """
            )
            .options([
                .flag("--import", into: \.options.importFiles):
                    "add the files without an item to the library",
                .flag("--remove-missing", into: \.options.removeMissing):
                    "remove the items whose file is missing",
                .flag("--yes", into: \.options.isConfirmed):
                    "confirm flagging more than half of the library as missing",
            ])
    }

    var options = RefreshOptions()

    var library: LibraryUse { .created }

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        var report = try await library.call(API.library.refresh, options)
        if report.needsConfirmation, confirm(report) {
            var confirmed = options
            confirmed.isConfirmed = true
            report = try await library.call(API.library.refresh, confirmed)
        }
        await library.stop()
        Terminal.print(text(report, isServed: library.isServed))
        return report.needsConfirmation || report.failures > 0 ? .failure : .success
    }

    private func confirm(_ report: RefreshReport) -> Bool {
        guard Terminal.isInteractive else { return false }
        Terminal.note(
            "\(report.missing.count) of \(report.checked) files are missing. Is the right disk "
                + "mounted? Type yes to flag them as missing:"
        )
        return readLine()?.lowercased() == "yes"
    }

    private func text(_ report: RefreshReport, isServed: Bool) -> String {
        var lines = ["Compared \(report.checked) \(report.checked == 1 ? "item" : "items")."]
        if report.needsConfirmation {
            lines.append(
                "\(report.missing.count) files are missing, more than half of the library, so "
                    + "nothing was changed. Mount the right disk, or confirm with --yes."
            )
        } else if !report.missing.isEmpty {
            lines.append("Missing, hidden until they return (--remove-missing removes them):")
            lines += report.missing.map { "  \($0.id)  \(Terminal.clean($0.title))" }
        }
        lines += Self.section("Returned:", report.returned)
        lines += Self.section("Removed:", report.removed)
        lines += Self.section("Imported:", report.imported)
        if report.unverified > 0 {
            let files = report.unverified == 1 ? "1 file is" : "\(report.unverified) files are"
            lines.append(
                "\(files) listed and still to be checked before they play. "
                    + (isServed ? "The running server checks them" : "`offline serve` checks them")
                    + " in the background; `offline list` shows the state of each."
            )
        }
        if !report.imported.isEmpty, !isServed {
            lines.append("`offline serve` makes the pictures of imported films in the background.")
        }
        if !report.orphans.isEmpty {
            let hint = options.importFiles ? "" : " (--import adds them)"
            lines.append("Files without an item\(hint):")
            lines += report.orphans.map {
                "  \(Terminal.clean($0.name))  \(ByteCount.text($0.size))"
            }
        }
        lines += report.problems.map(Terminal.clean)
        return lines.joined(separator: "\n")
    }

    private static func section(_ title: String, _ entries: [RefreshReport.Entry]) -> [String] {
        guard !entries.isEmpty else { return [] }
        return [title] + entries.map { "  \($0.id)  \(Terminal.clean($0.title))" }
    }
}
