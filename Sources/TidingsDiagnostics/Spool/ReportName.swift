// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name of a report's file: when, in which order, which report, which class.
///
/// Names sort by age, and within a millisecond by the order in which one process recorded.
struct ReportName: Hashable, Comparable, Sendable {
    private static let crashSuffix = ".crash.json"
    private static let errorSuffix = ".report.json"
    /// As many characters of a report's identifier as a UUID has.
    private static let idLimit = 36

    /// The name in the folder.
    let file: String

    init(_ report: Report, number: Int) {
        let seconds = report.date.timeIntervalSince1970
        let milliseconds = seconds.isFinite ? Int(min(max(0, seconds), 1e10) * 1_000) : 0
        let suffix = report.crash == nil ? Self.errorSuffix : Self.crashSuffix
        let order = "\(Self.padded(milliseconds, 14))-\(Self.padded(number, 8))"
        file = "\(order)-\(Self.plain(report.id))\(suffix)"
    }

    /// Nil for what is no report.
    init?(file: String) {
        guard file.hasSuffix(Self.errorSuffix) || file.hasSuffix(Self.crashSuffix) else {
            return nil
        }
        self.file = file
    }

    var isCrash: Bool { file.hasSuffix(Self.crashSuffix) }

    /// When it was recorded, as far as the name tells.
    var date: Date {
        Date(timeIntervalSince1970: (Double(file.prefix { $0 != "-" }) ?? 0) / 1_000)
    }

    /// What of the report's identifier is in the name; earlier versions wrote eight characters.
    var idPart: Substring {
        let stem = file.dropLast((isCrash ? Self.crashSuffix : Self.errorSuffix).count)
        let parts = stem.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? parts[2] : ""
    }

    /// Whether the report of this name can be the one with this identifier.
    func mayBe(_ id: Report.ID) -> Bool {
        !idPart.isEmpty && Self.plain(id).hasPrefix(idPart)
    }

    /// Whether the report of this name is surely the one with this identifier.
    func isSurely(_ id: Report.ID) -> Bool {
        idPart == id && id.utf8.count == Self.idLimit
    }

    static func < (left: ReportName, right: ReportName) -> Bool { left.file < right.file }

    /// An identifier is ours, but a file's name must not depend on that.
    private static func plain(_ id: Report.ID) -> String {
        String(String.UnicodeScalarView(id.unicodeScalars.prefix(idLimit).filter(isPlain)))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z", "-": true
        default: false
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
