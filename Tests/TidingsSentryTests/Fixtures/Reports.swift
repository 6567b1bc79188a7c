// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDiagnostics
@testable import TidingsSentry

/// The time of sending in these tests.
let sendDate = Date(timeIntervalSince1970: 1_800_000_000)

/// Returns a report of an error.
func makeReport(_ change: (inout Report) -> Void = { _ in }) -> Report {
    var report = Report(
        id: "5e0f0000-1111-4222-8333-44445555aaaa",
        date: sendDate.addingTimeInterval(-60),
        level: .error,
        application: "films",
        release: "films@1.4.0",
        environment: "production",
        user: nil,
        errors: [
            ReportedError(
                domain: "Films.LoadError",
                code: "notFound",
                message: "There is no film.",
                location: "Films/Load.swift:12"
            )
        ],
        context: [:],
        values: [:],
        breadcrumbs: []
    )
    change(&report)
    return report
}

/// Returns a report of a crash.
func makeCrash(_ change: (inout ReportedCrash) -> Void = { _ in }) -> Report {
    var crash = ReportedCrash(
        signal: "SIGSEGV",
        number: 11,
        code: 1,
        address: 0x10,
        threadName: "worker",
        thread: 4711,
        registers: ["rsp": 0x7FFF_0000, "rip": 0x1010]
    )
    change(&crash)
    return makeReport {
        $0.level = .fatal
        $0.errors = []
        $0.crash = crash
        $0.frames = [
            ReportedFrame(
                address: 0x1010,
                kind: .counter,
                function: "load(_:)",
                file: "~/films/Sources/Films/Load.swift",
                line: 12,
                image: "films"
            ),
            ReportedFrame(address: 0x9999, kind: .call, image: "libc.so.6", isSystem: true),
        ]
        $0.images = [
            ReportedImage(
                path: "/usr/bin/films",
                buildID: "00112233445566778899AABBCCDDEEFF01234567",
                start: 0x1000,
                end: 0x2000
            ),
            ReportedImage(path: "/usr/lib/none.so", buildID: nil, start: 0x3000, end: 0x4000),
        ]
    }
}

/// Returns the event of a report.
func event(_ report: Report) -> JSONValue {
    SentryEvent(report: report, limits: SentryLimits(), now: sendDate).json
}
