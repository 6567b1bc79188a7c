// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file name of a report, with the date, sequence number, identifier and kind.
///
/// Names sort by date. Within a millisecond, names sort by the recording order of one process.
struct ReportName: Hashable, Comparable, Sendable {
    private static let crashSuffix = ".crash.json"
    private static let errorSuffix = ".report.json"
    /// The length of a UUID.
    private static let idLimit = 36

    /// The file name.
    let file: String

    init(_ report: Report, number: Int) {
        let seconds = report.date.timeIntervalSince1970
        let milliseconds = seconds.isFinite ? Int(min(max(0, seconds), 1e10) * 1_000) : 0
        let isCrash = report.crash != nil || report.level == .fatal
        let suffix = isCrash ? Self.crashSuffix : Self.errorSuffix
        let order = "\(Self.padded(milliseconds, 14))-\(Self.padded(number, 8))"
        file = "\(order)-\(Self.plain(report.id))\(suffix)"
    }

    /// Creates a name, or nil if the file is not named like a report.
    init?(file: String) {
        guard file.hasSuffix(Self.errorSuffix) || file.hasSuffix(Self.crashSuffix) else {
            return nil
        }
        self.file = file
    }

    /// Whether the report is fatal, which is true for a crash, an end without notice, or a fatal
    /// error.
    var isCrash: Bool { file.hasSuffix(Self.crashSuffix) }

    /// The date of the recording in the precision of the name.
    var date: Date {
        Date(timeIntervalSince1970: (Double(file.prefix { $0 != "-" }) ?? 0) / 1_000)
    }

    /// The part of the identifier that the name contains.
    ///
    /// Earlier versions wrote eight characters.
    var idPart: Substring {
        let stem = file.dropLast((isCrash ? Self.crashSuffix : Self.errorSuffix).count)
        let parts = stem.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? parts[2] : ""
    }

    /// Whether this may be the name of the report with the given identifier.
    func mayMatch(_ id: Report.ID) -> Bool {
        !idPart.isEmpty && Self.plain(id).hasPrefix(idPart)
    }

    /// Whether this is certainly the name of the report with the given identifier.
    func matches(_ id: Report.ID) -> Bool {
        idPart == id && id.utf8.count == Self.idLimit
    }

    static func < (left: ReportName, right: ReportName) -> Bool { left.file < right.file }

    /// Returns the characters of an identifier that are safe in a file name.
    ///
    /// The result is safe for any identifier, although this module generates the identifiers.
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
