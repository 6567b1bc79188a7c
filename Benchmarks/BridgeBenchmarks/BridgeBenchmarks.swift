// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures one property of the bridge over a server, for `bridge.py`, and prints one number.
///
/// The usage is `BridgeBenchmarks MODE ADDRESS SPACE COUNT [NUMBER]`, with a mode of `Measurement`.
@main
struct BridgeBenchmarks {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count >= 5, let measurement = Measurement(words) else {
            FileHandle.standardError.write(
                Data("usage: BridgeBenchmarks MODE ADDRESS SPACE COUNT [NUMBER]\n".utf8)
            )
            exit(64)
        }
        try await measurement.run()
    }
}
