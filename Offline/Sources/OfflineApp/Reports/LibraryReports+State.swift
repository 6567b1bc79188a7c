// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
package import OfflineServer
import Tidings
import TidingsDiagnostics
import TidingsLock

// The state of the recording, and the end of the previous run.
extension LibraryReports {
    /// The search for the report of the previous run's crash.
    enum CrashLookup {
        case pending
        case done(ReportSummary?)
    }

    /// Whether a crash of this process would be recorded.
    package var catchesCrashes: Bool { reporter.state.obstacle == nil }

    /// The faults of the setup, each with its remedy, in one or two sentences.
    package var problems: [String] {
        let state = reporter.state
        return [state.obstacle.flatMap(Self.explanation)].compactMap { $0 }
            + state.problems
            + [state.failure?.message].compactMap { $0 }
    }

    /// Whether the previous run crashed.
    package var previousRunCrashed: Bool { reporter.previousRun == .crashed }

    /// Returns the report of the previous run's crash; nil without a crash or without its report.
    ///
    /// The first result is kept, because a later crash of another process belongs to another run.
    package func previousCrash() async -> ReportSummary? {
        guard previousRunCrashed else { return nil }
        if case .done(let crash) = crashLookup.withLock({ $0 }) { return crash }
        let found = await all().first { $0.crash != nil }.map { ReportSummary($0) }
        return crashLookup.withLock { state in
            if case .done(let crash) = state { return crash }
            state = .done(found)
            return found
        }
    }

    /// Posts `PreviousRunCrashed` if the previous run crashed.
    package func postPreviousRun() async {
        guard previousRunCrashed else { return }
        let message = PreviousRunCrashed(report: await previousCrash())
        library?.messages.post(message)
    }

    private static func explanation(_ reason: CaptureObstacle) -> String? {
        switch reason {
        case .asked:
            "OFFLINE_DIAGNOSTICS disables the recording of crashes. Set it to on, or unset it, and "
                + "start again."
        case .debugBuild:
            "Debug builds record nothing. Set OFFLINE_DIAGNOSTICS to on to enable the recording."
        case .testRunner:
            "Tests record nothing. Set OFFLINE_DIAGNOSTICS to on to enable the recording."
        case .traced:
            "Nothing is recorded under a debugger. Set OFFLINE_DIAGNOSTICS to on to enable the "
                + "recording."
        case .failedStarts:
            "The last two starts ended during the setup, so this run does not record crashes. "
                + "Start again; if the problem remains, set OFFLINE_DIAGNOSTICS to errors."
        case .alreadyCapturing:
            "Another reporter in this process records crashes."
        case .unsupported:
            "Crashes are recorded on Linux only."
        default: nil
        }
    }
}

extension PreviousRun {
    /// The name in the API.
    var name: String {
        switch self {
        case .unknown: "unknown"
        case .clean: "clean"
        case .terminated: "terminated"
        case .crashed: "crashed"
        case .endedWithoutNotice: "endedWithoutNotice"
        @unknown default: "unknown"
        }
    }
}
