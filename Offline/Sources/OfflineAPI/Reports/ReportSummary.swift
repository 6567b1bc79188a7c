// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsDiagnostics

/// The entry of a report in a list.
package struct ReportSummary: Codable, Sendable, Equatable {
    /// The kind of a crash.
    package static let crashKind = "crash"

    /// The identifier of the report.
    package let id: String
    /// When the report was recorded.
    package let date: Date
    /// `crash`, `download`, `parse`, `mux`, `database` or `test`, or the level of any other error.
    package let kind: String
    /// `info`, `warning`, `error` or `fatal`.
    package let level: String
    /// The fault, such as `Fatal error: Index out of range` or `SIGSEGV in take()`.
    package let message: String
    /// The file and line that created the error, or the program's function with the fault.
    package let place: String?

    /// Creates the summary of a report.
    package init(_ report: Report) {
        id = report.id
        date = report.date
        level = report.level.rawValue
        let own = report.frames.filter { !$0.isSystem && $0.isKnown && !$0.isOfRecording }
        let certain = own.filter { !$0.isScanned }
        // Functions of the language that are linked into the program have no source file.
        let faulty = certain.first { $0.file != nil } ?? certain.first ?? own.first
        // The stack of an error often shows only where the error was recorded, far away from the
        // failure.
        let origin = report.errors.last { $0.location != nil }?.location
        place = origin.flatMap { $0.split(separator: "/").last.map(String.init) } ?? faulty?.place
        if let crash = report.crash {
            kind = Self.crashKind
            message = crash.reason ?? Self.title(crash, faulty)
        } else {
            kind = report.context[FailureKind.key]?.description ?? report.level.rawValue
            message = report.errors.first?.message ?? ""
        }
    }

    /// Whether the program crashed.
    package var isCrash: Bool { kind == Self.crashKind }

    private static func title(_ crash: ReportedCrash, _ frame: ReportedFrame?) -> String {
        guard let function = frame?.function else { return crash.signal }
        return "\(crash.signal) in \(function)"
    }
}

extension ReportedFrame {
    /// Whether more than the address is known.
    fileprivate var isKnown: Bool { !isGap && (function != nil || file != nil) }

    /// Whether the frame belongs to the recording of reports.
    fileprivate var isOfRecording: Bool {
        let recorders = ["/Tidings/", "/TidingsDiagnostics/", "/LibraryReports"]
        return file.map { file in recorders.contains { file.contains($0) } } ?? false
    }

    /// The known parts of function, file and line.
    fileprivate var place: String {
        let file = file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let site = file.map { file in line.map { "\(file):\($0)" } ?? file }
        return [function, site].compactMap { $0 }.joined(separator: " at ")
    }
}
