// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation

/// Compares the core with minimal implementations and with Foundation.
///
/// `CoreBenchmarks [FILE] [--only SUBSTRING]` prints the rows, or only rows with SUBSTRING in the
/// title, and writes the rows as JSON to FILE. With `--profile`, the program does not measure.
/// Instead, each subject runs for a second, without the reference, for a profiler.
@main
struct CoreBenchmarks {
    @MainActor static func main() throws {
        do {
            try run(try BenchmarkArguments(CommandLine.arguments.dropFirst()))
        } catch let error as UsageError {
            FileHandle.standardError.write(Data("error: \(error.text)\n".utf8))
            exit(64)
        }
    }

    @MainActor private static func run(_ arguments: BenchmarkArguments) throws {
        var bench = BenchmarkRun(only: arguments.only, isProfiled: arguments.isProfiled)
        bench.posts()
        bench.accompaniedPosts()
        bench.namedPosts()
        bench.postsAgainstFoundation()
        bench.postsOnTwoThreads()
        bench.postsAmongManyTypes()
        bench.watchedPosts()
        try bench.weakObservers()
        bench.observing()
        bench.fanOut()
        bench.memory()
        bench.states()
        bench.families()
        if bench.matchCount == 0 { throw UsageError(text: "no row has this text in its title") }
        if let file = arguments.file { try bench.write(to: file) }
    }
}
