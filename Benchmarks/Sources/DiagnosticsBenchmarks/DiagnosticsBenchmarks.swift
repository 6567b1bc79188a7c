// SPDX-License-Identifier: Apache-2.0
import Benching
import Foundation
import TidingsDiagnostics

/// Compares what a reporter does with the least that could be done.
///
/// The command line is that of `CoreBenchmarks`. `DiagnosticsBenchmarks --end FOLDER` and
/// `--crash FOLDER` are the processes whose end is measured.
@main
struct DiagnosticsBenchmarks {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        if words.count == 2, let folder = words.last {
            switch words.first {
            case "--crash": Crashing.crash(reportingTo: folder)
            case "--end": Crashing.crash(reportingTo: nil)
            default: break
            }
        }
        do {
            try await run(try BenchArguments(words))
        } catch let mistake as BenchMistake {
            FileHandle.standardError.write(Data("error: \(mistake.text)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ arguments: BenchArguments) async throws {
        let place = try Place()
        var bench = Bench(only: arguments.only, isProfiled: arguments.isProfiled)
        let recording = try Recording(in: place.folder("recording"))
        bench.compare("breadcrumb / its date and text appended under a lock", .atMost(3)) {
            (recording.breadcrumbs, recording.bytes)
        }
        bench.compare("record an error / backtrace with a cached image map", .atMost(25)) {
            (recording.errors, recording.backtraces)
        }
        let start = try await Starting.milliseconds(in: place)
        bench.measure("start of a reporter", unit: "ms", .atMost(10)) { start }
        try bench.measure("handler of a crash", unit: "ms", .atMost(10)) {
            try Crashing.milliseconds(in: place)
        }
        await recording.reporter.close()
        if bench.wanted == 0 { throw BenchMistake(text: "no row has that in its title") }
        if let file = arguments.file { try bench.write(to: file) }
    }
}
