// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Counts the allocations of what must make none.
///
/// `AllocationCount [FILE]` writes the counts as JSON to FILE or to the screen, and ends with 1 if
/// one differs from what is expected.
@main
struct AllocationCount {
    @MainActor static func main() throws {
        var ledger = Ledger()
        ledger.proveThatItCounts()
        ledger.posts()
        ledger.forms()
        ledger.threadedPosts()
        ledger.watchedPosts()
        try ledger.delegates()
        ledger.blocksLeft()
        let json = try ledger.json()
        if CommandLine.arguments.count > 1 {
            try json.write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
        } else {
            FileHandle.standardOutput.write(json + Data("\n".utf8))
        }
        for text in ledger.mistakes {
            FileHandle.standardError.write(Data("error: \(text)\n".utf8))
        }
        exit(ledger.mistakes.isEmpty ? 0 : 1)
    }
}
