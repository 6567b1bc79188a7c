// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Reads damaged documents: each must be read or refused with a typed error, never end the process.
///
/// `OFFLINE_FUZZ_SECONDS` sets the time for each format; without it, the same few documents are
/// read. The last seed that is printed leads to the document that ended the process.
@Suite(.timeLimit(.minutes(60)))
struct FuzzTests {
    private static let batch = 30

    @Test(arguments: ForeignFormat.all)
    func damagedDocumentsAreReadOrRefused(format: ForeignFormat) {
        let setting = ProcessInfo.processInfo.environment["OFFLINE_FUZZ_SECONDS"]
        guard let seconds = setting.flatMap(Double.init) else {
            read(format, seed: 1)
            return
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var generator = SystemRandomNumberGenerator()
        repeat {
            let seed = generator.next() % 1_000_000_000
            print("damaged \(format.name) from seed \(seed)")
            read(format, seed: seed)
        } while ContinuousClock.now < end
    }

    private func read(_ format: ForeignFormat, seed: UInt64) {
        for offset in 0..<UInt64(Self.batch) {
            var mutations = Mutations(seed: seed + offset)
            for example in format.examples {
                let document = mutations.damaged(Array(example.utf8))
                try? format.read(document)
            }
        }
    }

    @Test(arguments: ForeignFormat.all)
    func theExamplesAreValid(format: ForeignFormat) throws {
        for example in format.examples { try format.read(Array(example.utf8)) }
    }
}
