// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel

/// `offline verify`: reads every byte of the finished files.
struct VerifyCommand: Command {
    private static let pollInterval = Duration.milliseconds(250)

    static var forms: [CommandForm] {
        Form("verify", Self(), help: "Reads every byte of the files and reports damaged ones.")
            .details(
                """
                Reads the finished files, or those of some items, and the subtitles beside them, \
                and reports missing ones, too. Changes no file. The first run records checksums, \
                with which later ones compare; that of a film's subtitles is recorded earlier, \
                when they are written or imported.
                """
            )
            .arguments(.item, into: \.ids, isRequired: false)
            .options([
                .flag("--accept-subtitles", into: \.acceptsSubtitles):
                    "record changed and missing subtitles as they are now, after you have edited "
                    + "or removed them"
            ])
            .json(into: \.json)
    }

    var ids: [ItemID] = []
    var acceptsSubtitles = false
    var json = false

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let wanted = VerifyJSON(ids: ids, acceptSubtitles: acceptsSubtitles)
        let run = VerificationRun(try await library.call(API.library.verify, wanted).run)
        let report = try await Interruption.race { try await follow(run, in: library) }
        let isInterrupted = report == nil
        if isInterrupted { try await library.call(API.library.stopVerification, run) }
        let result = if let report { report } else { try await follow(run, in: library) }
        await library.stop()
        Terminal.show([""], over: 1)
        if json {
            let data = try JSONFormat.encode(result, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else {
            Terminal.print(Self.text(result))
        }
        if isInterrupted || result.isStopped { return .interrupted }
        return result.problems.isEmpty ? .success : .failure
    }

    /// Shows the progress until the end of the verification.
    private func follow(
        _ run: VerificationRun,
        in library: Connection<Library>
    ) async throws -> VerificationReport {
        while true {
            let report = try await library.call(API.library.verification, run)
            guard report.isRunning else { return report }
            let done = "\(ByteCount.text(report.bytes)) of \(ByteCount.text(report.totalBytes))"
            Terminal.show(["Verified \(report.checked) of \(report.total) files, \(done)"], over: 1)
            try await ContinuousClock().sleep(for: Self.pollInterval)
        }
    }

    /// Returns the result for the user.
    static func text(_ report: VerificationReport) -> String {
        var lines = report.problems.flatMap { problem in
            [
                "\(problem.id)  \(problem.outcome.rawValue)  \(Terminal.clean(problem.title))",
                "    " + Terminal.clean(problem.message),
            ]
        }
        if report.isStopped {
            lines.append("Stopped after \(report.checked) of \(report.total) files.")
        }
        let sums = [
            (report.intact, "intact"), (report.recorded, "recorded for the first time"),
            (Set(report.problems.map(\.id)).count, "not confirmed"),
        ]
        let parts = sums.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let files = report.checked == 1 ? "file" : "files"
        let result = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        lines.append("Read \(ByteCount.text(report.bytes)) of \(report.checked) \(files)\(result).")
        return lines.joined(separator: "\n")
    }
}
