// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// The additional time that a crashing process takes to report the crash.
enum CrashDuration {
    private static let rounds = 21

    /// Returns the median difference between adjacent processes that crash with and without a
    /// reporter.
    ///
    /// The measurement starts with the line that each process prints just before the crash.
    static func milliseconds(in folders: TemporaryFolders) throws -> Double {
        var differences: [Double] = []
        for round in 0..<rounds {
            // Each crash has a separate folder, so that no crash waits for the report of another
            // crash.
            let folder = folders.folder("crashing-\(round)")
            let plain = try end("--end", folder)
            differences.append(try end("--crash", folder) - plain)
        }
        return differences.sorted()[rounds / 2]
    }

    /// Prints a line and crashes without returning.
    static func crash(reportingTo folder: String?) {
        let reporter = folder.flatMap { try? CrashReporter.start(in: $0, .on) }
        FileHandle.standardOutput.write(Data("now\n".utf8))
        withExtendedLifetime(reporter) { abort() }
    }

    private static func end(_ option: String, _ folder: String) throws -> Double {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [option, folder]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        process.standardOutput = pipe
        try process.run()
        guard try pipe.fileHandleForReading.read(upToCount: 4)?.count == 4 else {
            throw CocoaError(.fileReadUnknown)
        }
        let begin = ContinuousClock.now
        // The end of the process closes the pipe.
        _ = try pipe.fileHandleForReading.readToEnd()
        let time = ContinuousClock.now - begin
        process.waitUntilExit()
        return time / .milliseconds(1)
    }
}
