// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline verify`: reads every byte of the finished files.
struct VerifyCommand {
    private static let pollInterval = Duration.milliseconds(250)

    let ids: [ItemID]
    let acceptsSubtitles: Bool
    let json: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let run = try await library.verify(ids, acceptsSubtitles: acceptsSubtitles).run
        let report = try await Interruption.race { try await follow(run, in: library) }
        let isInterrupted = report == nil
        if isInterrupted { try await library.stopVerification(run) }
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
        _ run: Int,
        in library: any LibraryService
    ) async throws -> VerificationReport {
        while true {
            let report = try await library.verification(run)
            guard report.isRunning else { return report }
            let done = "\(ByteCount.text(report.bytes)) of \(ByteCount.text(report.totalBytes))"
            Terminal.show(["Verified \(report.checked) of \(report.total) files, \(done)"], over: 1)
            try await ContinuousClock().sleep(for: Self.pollInterval)
        }
    }

    /// Returns the result for people.
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
