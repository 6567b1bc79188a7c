// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import Tidings

/// `offline diagnostics crash`: crashes intentionally, and the next run shows the report.
struct DiagnosticsCommand: Command {
    static var forms: [CommandForm] {
        Form("diagnostics crash", Self(), help: "Crashes intentionally, to test the crash reports.")
            .details("Ways: \(UsageError.list(CrashWay.allCases.map(\.rawValue))).")
            .argument(.choice("WAY"), into: \.way, isRequired: false)
            .options([.flag("--yes", into: \.isConfirmed): "confirm the crash"])
    }

    var way = CrashWay.fatalError
    var isConfirmed = false

    var library: LibraryUse { .created }
    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        let reports = try environment.requireReports()
        guard reports.catchesCrashes else {
            Terminal.note("offline: Crashes are not recorded.")
            for problem in reports.problems { Terminal.note(problem) }
            return .failure
        }
        guard isConfirmed || isAgreed() else {
            Terminal.note("offline: The crash is not confirmed. Confirm it with --yes.")
            return .failure
        }
        let messages = MessageCenter()
        reports.follow(messages)
        for step in 1...3 { messages.post(CrashRehearsed(step: step, way: way)) }
        way.crash()
    }

    private func isAgreed() -> Bool {
        guard Terminal.isInteractive else { return false }
        Terminal.note("This command crashes the program. Type yes to continue:")
        return readLine()?.lowercased() == "yes"
    }
}

/// Posted before an intentional crash, so that the report has breadcrumbs.
private struct CrashRehearsed: Message, CustomStringConvertible {
    static let tracing = MessageTracing.described

    let step: Int
    let way: CrashWay

    var description: String { "step \(step) of 3 before \(way.rawValue)" }
}
