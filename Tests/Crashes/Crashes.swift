// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TidingsDiagnostics

/// Crashes, or prints the report of the previous run: `Crashes FOLDER crash WAY
/// main|thread|dispatch|task` and `Crashes FOLDER report WAY`.
@main
struct Crashes {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count >= 4, let way = CrashWay.allCases.first(where: { "\($0)" == words[3] })
        else {
            print(CrashWay.allCases.map { "\($0)" }.joined(separator: " "))
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

    private static func crash(_ way: CrashWay, on place: String, in folder: String) throws {
        let reporter = try start(.on, in: folder)
        reporter.log("before the end")
        switch place {
        case "main": _ = callCrash(way)
        case "thread": Thread.detachNewThread { _ = callCrash(way) }
        case "dispatch": DispatchQueue(label: "crash").async { _ = callCrash(way) }
        default: Task.detached { _ = callCrash(way) }
        }
        // The system delivers a signal with some delay.
        while true { pause() }
    }

    /// Prints the report in one line; exits with 1 if it has unexpected contents.
    private static func report(_ way: CrashWay, in folder: String) async throws {
        let reporter = try start(.errorsOnly, in: folder)
        let reports = await reporter.unsentReports()
        guard let report = reports.first, reports.count == 1, reporter.previousRun == .crashed
        else {
            fail("\(reports.count) reports after a run that ended as \(reporter.previousRun)")
        }
        let frame = report.frames.first { $0.function?.hasPrefix("crashOnPurpose(_:_:)") == true }
        let name = frame?.file?.split(separator: "/").last ?? "?"
        let place = "\(frame?.function ?? "?") \(name):\(frame?.line ?? 0)"
        print("signal \(report.crash?.number ?? 0) \(place) \(report.crash?.reason ?? "")")
        try await reporter.deleteUnsent()
        await reporter.close()
        guard report.crash?.number == way.signal, report.crash?.isTruncated == false,
            report.breadcrumbs.map(\.text) == ["before the end"]
        else { fail("not the report of \(way)") }
        // The system chooses the thread that receives a signal from outside.
        if way == .kill { return }
        guard name == "CrashWay.swift", way.lines.contains(frame?.line ?? 0) else {
            fail("not where \(way) was")
        }
        if way == .fatalError, report.crash?.reason?.contains("The text of the error.") != true {
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
