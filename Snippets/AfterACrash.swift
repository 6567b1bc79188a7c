// SPDX-License-Identifier: Apache-2.0
// The start of a program, which handles the reports of the previous run.
import Foundation
import TidingsDiagnostics

@MainActor
func begin(in folder: String) async throws -> CrashReporter {
    var configuration = CrashReporter.Configuration(
        application: "films",
        release: "films@1.0",
        directory: folder
    )
    configuration.capturesStandardError = true
    let reporter = try CrashReporter.start(configuration)

    switch reporter.state.previousRun {
    case .crashed: print("The last run crashed.")
    case .endedWithoutNotice: print("The last run was killed, or the power went.")
    default: break
    }
    for report in await reporter.unsentReports() {
        let place = report.frames.first { !$0.isSystem }
        print(report.crash?.reason ?? report.errors.first?.message ?? "", place?.function ?? "")
    }
    for problem in reporter.state.problems { print(problem) }
    return reporter
}
