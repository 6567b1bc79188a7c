// SPDX-License-Identifier: Apache-2.0
// Hangs, files and a user's words in reports.
import Foundation
import TidingsDiagnostics

@MainActor
func beginReports(in folder: String) throws -> CrashReporter {
    var configuration = CrashReporter.Configuration(
        application: "films",
        release: "films@1.0",
        directory: folder
    )
    configuration.crashAttachments = ["/var/log/films/muxer.log"]
    let reporter = try CrashReporter.start(configuration)
    reporter.watchHangs(of: MainActor.shared, longerThan: .seconds(3))
    return reporter
}

func recordFailedMux(_ error: any Error, log: Data, with reporter: CrashReporter) {
    reporter.record(
        error,
        tags: ["container": "mp4"],
        attachments: ["ffmpeg.log": Data(log.suffix(16 << 10))]
    )
}

func comment(_ text: String, with reporter: CrashReporter) async {
    let reports = await reporter.unsentReports()
    guard let crash = reports.first(where: { $0.crash != nil }) else { return }
    reporter.comment(text, on: crash.id)
    reporter.sendUnsent()
}
