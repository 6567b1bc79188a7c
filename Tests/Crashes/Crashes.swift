// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TidingsDiagnostics

/// Crashes, or prints the report of the previous run: `Crashes FOLDER crash WAY
/// main|thread|dispatch|task` and `Crashes FOLDER report WAY`.
///
/// Without arguments the program lists the ways of the tests. `Crashes all` also lists the ways
/// that only the table of crashes has.
@main
struct Crashes {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count >= 4, let way = ReportedWay(words[3]) else {
            let all = words.last == "all" ? OtherCrash.allCases.map(\.rawValue) : []
            print((CrashWay.allCases.map(\.rawValue) + all).joined(separator: " "))
            return
        }
        do {
            switch words[2] {
            case "crash": try crash(way, on: words.last ?? "", in: words[1])
            default: try await report(way, in: words[1])
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func crash(_ way: ReportedWay, on place: String, in folder: String) throws {
        let reporter = try start(.on, in: folder)
        reporter.log("before the end")
        switch place {
        case "main": way.crash()
        case "thread": Thread.detachNewThread { way.crash() }
        case "dispatch": DispatchQueue(label: "crash").async { way.crash() }
        default: Task.detached { way.crash() }
        }
        // The system delivers a signal with some delay.
        while true { pause() }
    }

    /// Prints the report as a row of the table.
    ///
    /// The program exits with 1 if the report has unexpected contents.
    private static func report(_ way: ReportedWay, in folder: String) async throws {
        let reporter = try start(.errorsOnly, in: folder)
        let reports = await reporter.unsentReports()
        guard let report = reports.first, reports.count == 1, reporter.state.previousRun == .crashed
        else {
            fail("\(reports.count) reports after a run that ended as \(reporter.state.previousRun)")
        }
        // The functions of the system between the crash and the program differ between releases.
        let own = report.frames.filter { !$0.isSystem }.prefix(3)
        let frame = own.first { $0.function?.hasPrefix(way.function) == true }
        let name = frame?.file?.split(separator: "/").last ?? ""
        let reason = report.crash?.reason ?? ""
        // The system chooses the thread for a signal from outside.
        let isElsewhere = way.name == CrashWay.kill.rawValue
        let cells = [
            report.crash?.signal ?? "", frame?.function ?? (isElsewhere ? "any" : ""),
            frame.map { "\(name):\($0.line ?? 0)" } ?? (isElsewhere ? "any" : ""),
            reason.split(separator: "\n").first.map(String.init) ?? (way.hasReason ? "" : "none"),
        ]
        print(cells.joined(separator: " | "))
        try await reporter.deleteUnsent()
        await reporter.close()
        guard report.crash?.number == way.signal, report.crash?.isTruncated == false,
            report.breadcrumbs.map(\.text) == ["before the end"]
        else { fail("not the report of \(way.name)") }
        if isElsewhere { return }
        guard name == way.file, way.lines.contains(frame?.line ?? 0) else {
            fail("not where \(way.name) was: \(report.frames.prefix(8).map(\.function))")
        }
        if way.hasReason, reason.isEmpty { fail("without the reason") }
        if way.name == CrashWay.fatalError.rawValue, !reason.contains("The text of the error.") {
            fail("without the text")
        }
    }

    private static func start(_ mode: CaptureMode, in folder: String) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(
            application: "crashes",
            release: "crashes@1",
            directory: folder
        )
        configuration.capture = mode
        configuration.capturesStandardError = mode == .on
        return try CrashReporter.start(configuration)
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(1)
    }
}
