// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDiagnostics

/// A pseudorandom generator with the same sequence in every run of a test.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}

extension Breadcrumb {
    static func numbered(
        _ number: Int,
        text: String = "message",
        at place: String? = "A/B.swift:1"
    )
        -> Breadcrumb
    {
        Breadcrumb(
            date: Date(timeIntervalSinceReferenceDate: TimeInterval(number)),
            category: number.isMultiple(of: 2) ? "log" : "message",
            level: number.isMultiple(of: 3) ? .warning : .info,
            text: "\(text) \(number)",
            data: ["n": .integer(number)],
            location: place
        )
    }
}

/// The path of a run's file in a temporary folder.
struct RunFileFixture: Sendable {
    let folder: TemporaryFolder
    var path: String { folder.path + "/live" }

    init() throws {
        folder = try TemporaryFolder()
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: URL(filePath: path))) }
    }
}
