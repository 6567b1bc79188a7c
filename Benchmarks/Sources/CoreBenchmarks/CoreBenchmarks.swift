// SPDX-License-Identifier: Apache-2.0
import Benching
import Foundation

/// Compares the core with the least that could be done and with Foundation.
///
/// `CoreBenchmarks [FILE] [--only SUBSTRING]` prints the rows, or those with SUBSTRING in their
/// title, and writes them as JSON to FILE. With `--profile` it measures nothing: it does for a
/// second what the rows measure, without what they compare it with, for a profiler to look at.
@main
struct CoreBenchmarks {
    @MainActor static func main() throws {
        do {
            try run(try BenchArguments(CommandLine.arguments.dropFirst()))
        } catch let mistake as BenchMistake {
            FileHandle.standardError.write(Data("error: \(mistake.text)\n".utf8))
            exit(64)
        }
    }

    @MainActor private static func run(_ arguments: BenchArguments) throws {
        var bench = Bench(only: arguments.only, isProfiled: arguments.isProfiled)
        bench.posts()
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
        if bench.wanted == 0 { throw BenchMistake(text: "no row has that in its title") }
        if let file = arguments.file { try bench.write(to: file) }
    }
}
