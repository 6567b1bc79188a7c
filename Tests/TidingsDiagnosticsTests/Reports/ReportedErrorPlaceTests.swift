// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportedErrorPlaceTests {
    private func error(_ code: String?, at location: String?) -> ReportedError {
        ReportedError(domain: "Films.LoadError", code: code, message: "No.", location: location)
    }

    @Test func r26_theInnermostLocationIsThePlace() {
        let chain = [error("a", at: "Films/Load.swift:3"), error("b", at: "Films/Net.swift:14")]
        #expect(chain.place == "Films/Net.swift:14")
        #expect((chain + [error(nil, at: nil), error(nil, at: "")]).place == "Films/Net.swift:14")
        #expect([error("a", at: nil)].place == nil)
    }

    @Test func r26_errorsOfDifferentCodeOrFileAreGroupedApart() {
        let first = [error("a", at: "Films/Load.swift:3")].grouping
        #expect(first == ["Films.LoadError.a", "Films/Load.swift"])
        // Lines move between releases.
        #expect([error("a", at: "Films/Load.swift:4")].grouping == first)
        #expect([error("a", at: "Films/Net.swift:3")].grouping != first)
        #expect([error("b", at: "Films/Load.swift:3")].grouping != first)
        #expect([error("a", at: "Films/Load.swift:3"), error(nil, at: nil)].grouping != first)
        #expect([error("a", at: nil)].grouping.isEmpty)
    }

    @Test func r26_theGroupingOfTheCallerWins() {
        let metadata = RunMetadata.current(application: "films", release: "films@1")
        let writer = RedactingWriter(redactor: Redactor())
        let builder = EventReportBuilder(symbolicator: nil, writer: writer)
        for wanted in [["mine"], ["Films.LoadError.a", "Films/Load.swift"]] {
            let event = EventRecord(
                id: .init(),
                date: .init(),
                level: .error,
                errors: [error("a", at: "Films/Load.swift:3")],
                context: [:],
                grouping: wanted == ["mine"] ? wanted : [],
                frames: [],
                user: nil,
                values: [:],
                lastBreadcrumb: 0
            )
            let report = builder.report(
                event,
                run: metadata,
                scope: ScopeRecord(user: nil, values: [:]),
                breadcrumbs: [],
                images: nil
            )
            #expect(report.grouping == wanted)
        }
    }
}
