// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsDiagnostics

// What of the recording works, and how the run before this one ended.
extension LibraryReports {
    /// What is known of the report of the crash of the run before this one.
    enum FoundCrash {
        case notLooked
        case looked(ReportSummary?)
    }

    /// Whether a crash of this process would be recorded.
    package var catchesCrashes: Bool { reporter.state.capture.isOn }

    /// What could not be set up, a sentence and a remedy each.
    package var problems: [String] {
        let state = reporter.state
        return [state.capture.reason.flatMap(Self.explanation)].compactMap { $0 }
            + state.capture.problems.map(\.message) + state.problems.map(\.message)
            + [state.failure?.message].compactMap { $0 }
    }

    /// Whether the run before this one crashed.
    package var previousRunCrashed: Bool { reporter.previousRun == .crashed }

    /// Returns the report of the crash of the run before this one; nil when it did not crash, or
    /// its report is not here any more.
    ///
    /// Looks once: what crashes in another process later is another run.
    package func previousCrash() async -> ReportSummary? {
        guard previousRunCrashed else { return nil }
        if case .looked(let crash) = lastCrash.withLock({ $0 }) { return crash }
        let found = await all().first { $0.crash != nil }.map { ReportSummary($0) }
        return lastCrash.withLock { state in
            if case .looked(let crash) = state { return crash }
            state = .looked(found)
            return found
        }
    }

    /// Posts `PreviousRunCrashed` if it did.
    package func tellPreviousRun() async {
        guard previousRunCrashed else { return }
        let message = PreviousRunCrashed(report: await previousCrash())
        library?.messages.post(message)
    }

    private static func explanation(_ reason: CaptureStatus.Reason) -> String? {
        switch reason {
        case .asked:
            "OFFLINE_DIAGNOSTICS says so; set it to on, or leave it out, and start again."
        case .debugBuild:
            "This is a debug build, which records nothing unless OFFLINE_DIAGNOSTICS is on."
        case .testRunner:
            "Tests record nothing unless OFFLINE_DIAGNOSTICS is on."
        case .traced:
            "A debugger has this process; set OFFLINE_DIAGNOSTICS to on to record all the same."
        case .failedStarts:
            "The last two starts ended while this was set up, so crashes are left alone this time. "
                + "Start again; if it comes back, set OFFLINE_DIAGNOSTICS to errors."
        case .alreadyCapturing:
            "Something else in this process records crashes."
        case .unsupported:
            "Crashes are recorded on Linux alone."
        default: nil
        }
    }
}

extension PreviousRun {
    /// The name by which the API calls it.
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
