// SPDX-License-Identifier: Apache-2.0
package import OfflineAPI
import OfflineLibrary
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
    package var catchesCrashes: Bool { reporter.state.captureObstacle == nil }

    /// The faults of the setup, each with the remedy, in one or two sentences.
    package var problems: [String] {
        let state = reporter.state
        let obstacle = state.obstacle.flatMap { obstacle in
            // Users of the program set this variable instead of the library's options.
            obstacle.isRemovedByMode
                ? obstacle.fault + " Start it with OFFLINE_DIAGNOSTICS=on to capture them."
                : state.captureObstacle
        }
        return [obstacle].compactMap { $0 } + state.problems
    }

    /// Whether the previous run crashed.
    package var previousRunCrashed: Bool { reporter.state.previousRun == .crashed }

    /// Returns the report of the previous run's crash, or nil without a crash or a report.
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
