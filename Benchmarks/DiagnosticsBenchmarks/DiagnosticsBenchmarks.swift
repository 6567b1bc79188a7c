// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation
import TidingsDiagnostics

/// Compares the reporter with minimal implementations.
///
/// The command line is the same as for `CoreBenchmarks`. `DiagnosticsBenchmarks --end FOLDER` and
/// `--crash FOLDER` are the measured, crashing processes.
@main
struct DiagnosticsBenchmarks {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 2, let folder = arguments.last {
            switch arguments.first {
            case "--crash": CrashDuration.crash(reportingTo: folder)
            case "--end": CrashDuration.crash(reportingTo: nil)
            default: break
            }
        }
        do {
            try await run(try BenchmarkArguments(arguments))
        } catch let error as UsageError {
            FileHandle.standardError.write(Data("error: \(error.text)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ arguments: BenchmarkArguments) async throws {
        let folders = try TemporaryFolders()
        var bench = BenchmarkRun(only: arguments.only, isProfiled: arguments.isProfiled)
        let recording = try RecordingSubjects(in: folders.folder("recording"))
        bench.compare(
            "breadcrumb / its date and text appended under a lock",
            .atMost(3),
            subject: .atMost(300)
        ) {
            (recording.breadcrumbs, recording.bytes)
        }
        bench.measure("breadcrumb of a message with a description", unit: "ns", .atMost(1_000)) {
            recording.followTime(reflecting: false)
        }
        bench.measure("breadcrumb of a message by reflection", unit: "ns") {
            recording.followTime(reflecting: true)
        }
        bench.compare(
            "record an error / backtrace with a cached image map",
            .atMost(25),
            subject: .atMost(20_000)
        ) {
            (recording.errors, recording.backtraces)
        }
        for (title, folder, reports) in StartDuration.rows where bench.measures(title) {
            let start = try await StartDuration.milliseconds(
                in: folders.folder(folder),
                with: reports
            )
            bench.measure(title, unit: "ms", .atMost(10)) { start }
        }
        try bench.measure("handler of a crash", unit: "ms", .atMost(10)) {
            try CrashDuration.milliseconds(in: folders)
        }
        await recording.reporter.close()
        if bench.matchCount == 0 { throw UsageError(text: "no row has this text in its title") }
        if let file = arguments.file { try bench.write(to: file) }
    }
}
