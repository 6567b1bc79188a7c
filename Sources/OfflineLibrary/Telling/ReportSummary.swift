// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsDiagnostics

/// A report as a list shows it.
package struct ReportSummary: Codable, Sendable, Equatable {
    /// What a crash is listed as.
    package static let crashKind = "crash"

    package let id: String
    package let date: Date
    /// `crash`, `download`, `parse`, `mux`, `database` or `test`; the level of any other error.
    package let kind: String
    /// `info`, `warning`, `error` or `fatal`.
    package let level: String
    /// What happened, such as `Fatal error: Index out of range`, or `SIGSEGV in take()`.
    package let message: String
    /// The function of the program in which it happened, with file and line as far as known.
    package let place: String?

    package init(_ report: Report) {
        id = report.id
        date = report.date
        level = report.level.rawValue
        let own = report.frames.filter { !$0.isSystem && $0.isKnown && !$0.isOfRecording }
        let sure = own.filter { $0.kind != .scanned }
        // Linked into the program, the language's own functions are told by having no source here.
        let culprit = sure.first { $0.file != nil } ?? sure.first ?? own.first
        place = culprit?.place
        if let crash = report.crash {
            kind = Self.crashKind
            message = crash.reason ?? Self.title(crash, culprit)
        } else {
            kind = report.context[FailureKind.key]?.description ?? report.level.rawValue
            message = report.errors.first?.message ?? ""
        }
    }

    /// Whether the program crashed.
    package var isCrash: Bool { kind == Self.crashKind }

    private static func title(_ crash: ReportedCrash, _ culprit: ReportedFrame?) -> String {
        guard let function = culprit?.function else { return crash.signal }
        return "\(crash.signal) in \(function)"
    }
}

extension ReportedFrame {
    /// Whether there is something to show of it but an address.
    fileprivate var isKnown: Bool { function != nil || file != nil }

    /// Whether it only carries what has happened elsewhere to a report.
    fileprivate var isOfRecording: Bool {
        let carriers = ["/Tidings/", "/TidingsDiagnostics/", "/LibraryReports"]
        return file.map { file in carriers.contains { file.contains($0) } } ?? false
    }

    /// The function, file and line, as far as they are known.
    fileprivate var place: String {
        let file = file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let site = file.map { file in line.map { "\(file):\($0)" } ?? file }
        return [function, site].compactMap { $0 }.joined(separator: " at ")
    }
}
