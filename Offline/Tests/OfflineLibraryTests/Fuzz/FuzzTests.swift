// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

/// Tests that each damaged document is read or refused with a typed error.
///
/// A document must never end the process. `OFFLINE_FUZZ_SECONDS` sets the time for each format.
/// Without this variable, the tests read the same few documents. The last printed seed leads to the
/// document that ended the process, and ``SeededGenerator`` repeats all seeds.
@Suite(.timeLimit(.minutes(60)))
struct FuzzTests {
    private static let batch = 30

    @Test(arguments: ForeignFormat.all)
    func damagedDocumentsAreReadOrRefused(format: ForeignFormat) async {
        await forEachSeed(of: format.name) { read(format, seed: $0) }
    }

    @Test func damagedResponsesAreReadOrRefused() async throws {
        let responses = try DamagedResponses()
        try await forEachSeed(of: "response") { seed in
            for offset in 0..<UInt64(Self.batch) { try await responses.read(seed: seed + offset) }
            try await responses.clear()
        }
    }

    private func forEachSeed(
        of name: String,
        _ read: (UInt64) async throws -> Void
    ) async rethrows {
        let setting = ProcessInfo.processInfo.environment["OFFLINE_FUZZ_SECONDS"]
        guard let seconds = setting.flatMap(Double.init) else { return try await read(1) }
        let end = ContinuousClock.now + .seconds(seconds)
        var generator = SeededGenerator(33)
        repeat {
            let seed = generator.next() % 1_000_000_000
            print("damaged \(name) from seed \(seed)")
            try await read(seed)
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

    @Test func theResponsesAreValid() async throws {
        let responses = try DamagedResponses()
        for example in DamagedResponses.examples {
            try await responses.serve(Array(example.utf8))
            #expect(try await responses.fetch() == Array("hello".utf8))
        }
    }
}
