// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// `offline diagnostics crash`: crashes on purpose, to see what the next start makes of it.
struct DiagnosticsCommand {
    let way: CrashWay
    let isConfirmed: Bool
    let surroundings: Surroundings

    func run() async throws -> ExitStatus {
        let reports = try surroundings.requireReports()
        guard reports.catchesCrashes else {
            Terminal.note("offline: A crash would leave nothing.")
            for problem in reports.problems { Terminal.note(problem) }
            return .failure
        }
        guard isConfirmed || isAgreed() else {
            Terminal.note("offline: Nothing has crashed. Agree with --yes.")
            return .failure
        }
        let messages = MessageCenter()
        reports.follow(messages)
        for step in 1...3 { messages.post(CrashRehearsed(step: step, way: way)) }
        way.crash()
    }

    private func isAgreed() -> Bool {
        guard Terminal.isInteractive else { return false }
        Terminal.note("This ends the program by a crash. Type yes to go on:")
        return readLine()?.lowercased() == "yes"
    }
}

/// A crash on purpose comes nearer.
private struct CrashRehearsed: Message, CustomStringConvertible {
    static let tracing = MessageTracing.described

    let step: Int
    let way: CrashWay

    var description: String { "step \(step) of 3 before \(way.rawValue)" }
}
