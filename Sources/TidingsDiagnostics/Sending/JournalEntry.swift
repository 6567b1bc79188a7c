// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An entry of the system's journal in the native protocol, which has fields with a name and bytes.
struct JournalEntry {
    /// The identifier of all entries of this sink, for `journalctl MESSAGE_ID=…`.
    static let messageID = "6f1c2d0b7a544e0e9c6d1f3a52b8e7d4"

    private(set) var bytes: [UInt8] = []

    /// Adds a field.
    ///
    /// A value with a line break is preceded by its length. Without the length, the value could be
    /// read as several fields.
    mutating func add(_ name: String, _ value: String) {
        let utf8 = Array(value.utf8)
        bytes += name.utf8
        if utf8.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(utf8.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += utf8
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension JournalEntry {
    /// Creates the entry of a report, with one readable line, the place, and the whole report as
    /// JSON.
    init(_ report: Report) throws {
        let calls = report.frames.filter { !$0.isGap }
        let own = calls.first { !$0.isSystem && $0.function != nil }
        add("MESSAGE", Self.message(of: report, in: own))
        add("MESSAGE_ID", Self.messageID)
        add("PRIORITY", "\(report.level.priority)")
        add("SYSLOG_IDENTIFIER", report.application)
        addPlace(of: report, own)
        add("TIDINGS_REPORT_ID", report.id)
        add("TIDINGS_RELEASE", report.release)
        let stack = calls.map { frame in
            (frame.function ?? "?") + (frame.file.map { " \($0):\(frame.line ?? 0)" } ?? "")
        }
        if !stack.isEmpty { add("TIDINGS_STACK", stack.joined(separator: "\n")) }
        add("TIDINGS_REPORT", String(decoding: try ReportFormat.encode(report), as: UTF8.self))
    }

    /// Creates the entry of a user's comment.
    init(comment: String, on id: Report.ID) {
        add("MESSAGE", comment)
        add("MESSAGE_ID", Self.messageID)
        add("PRIORITY", "\(ReportLevel.info.priority)")
        add("TIDINGS_REPORT_ID", id)
    }

    private static func message(of report: Report, in own: ReportedFrame?) -> String {
        if let crash = report.crash {
            let fault = crash.reason ?? crash.signal
            return own?.function.map { "\(fault) in \($0)" } ?? fault
        }
        return report.errors.first?.message ?? "A report without an error"
    }

    private mutating func addPlace(of report: Report, _ own: ReportedFrame?) {
        if let place = report.errors.place, let colon = place.lastIndex(of: ":") {
            add("CODE_FILE", String(place[..<colon]))
            add("CODE_LINE", String(place[place.index(after: colon)...]))
            return
        }
        if let file = own?.file { add("CODE_FILE", file) }
        if let line = own?.line { add("CODE_LINE", "\(line)") }
        if let function = own?.function { add("CODE_FUNC", function) }
    }
}

extension ReportLevel {
    /// The priority of the journal, as in syslog.
    fileprivate var priority: Int {
        switch self {
        case .fatal: 2
        case .error: 3
        case .warning: 4
        case .info: 6
        }
    }
}
