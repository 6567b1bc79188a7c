// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

struct DownloadFailure: ReportableError {
    var reported: ReportedError {
        ReportedError(
            domain: String(reflecting: Self.self),
            code: "cut",
            message: "The body ended early.",
            location: "Example/File.swift:7"
        )
    }
    var reportCause: (any Error)?
}

enum PlainFailure: Error {
    case refused(port: Int)
}

struct LocalizedFailure: LocalizedError {
    var errorDescription: String? { "Please try again." }
}

final class EndlessFailure: ReportableError {
    var reported: ReportedError {
        ReportedError(domain: String(reflecting: Self.self), message: "again")
    }
    var reportCause: (any Error)? { self }
}

@Suite(.timeLimit(.minutes(15)))
struct ReportedErrorTests {
    @Test func aReportableErrorIsListedWithItsCauses() {
        let cause = PlainFailure.refused(port: 80)
        let chain = ReportedError.chain(DownloadFailure(reportCause: cause))
        #expect(
            chain == [
                ReportedError(
                    domain: "TidingsDiagnosticsTests.DownloadFailure",
                    code: "cut",
                    message: "The body ended early.",
                    location: "Example/File.swift:7"
                ),
                ReportedError(
                    domain: "TidingsDiagnosticsTests.PlainFailure",
                    code: nil,
                    message: "refused(port: 80)",
                    location: nil
                ),
            ]
        )
    }

    @Test func aFoundationErrorHasDomainCodeAndCause() {
        let cause = NSError(domain: "Disk", code: 28)
        let error = NSError(
            domain: "Store",
            code: 5,
            userInfo: [NSUnderlyingErrorKey: cause, NSLocalizedDescriptionKey: "It is full."]
        )
        let chain = ReportedError.chain(error)
        #expect(chain.map(\.domain) == ["Store", "Disk"])
        #expect(chain.map(\.code) == ["5", "28"])
        #expect(chain.first?.message == "It is full.")
    }

    @Test func aLocalizedErrorIsReportedWithItsDescription() {
        #expect(ReportedError.chain(LocalizedFailure()).map(\.message) == ["Please try again."])
    }

    @Test func anErrorThatCausesItselfEndsAfterEight() {
        #expect(ReportedError.chain(EndlessFailure()).count == 8)
    }
}
