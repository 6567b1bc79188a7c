// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Counts the allocations of operations that must not allocate.
///
/// `AllocationCount [FILE]` writes the counts as JSON to FILE or to standard output, and exits with
/// 1 if a count differs from the expected one.
@main
struct AllocationCount {
    @MainActor static func main() throws {
        var report = AllocationReport()
        report.checkTheCounter()
        report.posts()
        report.forms()
        report.threadedPosts()
        report.watchedPosts()
        try report.delegates()
        report.blocksLeft()
        let json = try report.json()
        if CommandLine.arguments.count > 1 {
            try json.write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
        } else {
            FileHandle.standardOutput.write(json + Data("\n".utf8))
        }
        for text in report.failures {
            FileHandle.standardError.write(Data("error: \(text)\n".utf8))
        }
        exit(report.failures.isEmpty ? 0 : 1)
    }
}
