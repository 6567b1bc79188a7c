// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// How much longer the end of a process takes that reports its crash.
enum Crashing {
    private static let rounds = 21

    /// The median difference between neighbouring processes that crash with and without a
    /// reporter, from their word that they are about to.
    static func milliseconds(in place: Place) throws -> Double {
        var differences: [Double] = []
        for round in 0..<rounds {
            // A folder of its own, so that no crash waits for the report of another one.
            let folder = place.folder("crashing-\(round)")
            let plain = try end("--end", folder)
            differences.append(try end("--crash", folder) - plain)
        }
        return differences.sorted()[rounds / 2]
    }

    /// Never returns: says that it is about to crash, and crashes.
    static func crash(reportingTo folder: String?) {
        let reporter = folder.flatMap { try? CrashReporter.start(in: $0, .on) }
        FileHandle.standardOutput.write(Data("now\n".utf8))
        withExtendedLifetime(reporter) { abort() }
    }

    private static func end(_ word: String, _ folder: String) throws -> Double {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [word, folder]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        process.standardOutput = pipe
        try process.run()
        guard try pipe.fileHandleForReading.read(upToCount: 4)?.count == 4 else {
            throw CocoaError(.fileReadUnknown)
        }
        let begin = ContinuousClock.now
        // The pipe ends with the process.
        _ = try pipe.fileHandleForReading.readToEnd()
        let time = ContinuousClock.now - begin
        process.waitUntilExit()
        return time / .milliseconds(1)
    }
}
