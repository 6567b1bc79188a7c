// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDiagnostics

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
