// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import TidingsFiles

/// A sink that writes reports to the journal of systemd.
///
/// Each report is one entry. The entry has the fault as the message, the severity as the priority,
/// the place in `CODE_FILE` and `CODE_LINE`, the calls in `TIDINGS_STACK`, and the whole report as
/// JSON in `TIDINGS_REPORT`. A comment is an entry with the same `TIDINGS_REPORT_ID`. Other users
/// may also be able to read the journal. An entry of any size is written whole or not at all.
///
/// ```swift
/// configuration.sink = JournalSink()
/// ```
public struct JournalSink: ReportSink {
    private let path: String
    private let limit: Duration

    /// Creates a sink.
    ///
    /// - Parameter path: The path of the journal's socket.
    public init(path: String = "/run/systemd/journal/socket") {
        self.init(path: path, within: .seconds(1))
    }

    init(path: String, within limit: Duration) {
        self.path = path
        self.limit = limit
    }

    /// Writes the comments and the report to the journal.
    ///
    /// The result is a failure if no journal is running, or if the journal accepts nothing for a
    /// second.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        do {
            var entries = delivery.comments.sorted { $0.key < $1.key }.map { id, text in
                JournalEntry(comment: text, on: id)
            }
            // Comes last, because a failure sends all entries again and the report is the largest.
            if let report = delivery.report { entries.append(try JournalEntry(report)) }
            guard !entries.isEmpty else { return .accepted }
            let socket = try JournalSocket(path: path, within: limit)
            for entry in entries { try socket.send(entry.bytes) }
            return .accepted
        } catch {
            let remedy = (error as? SystemError).flatMap(Self.remedy(for:)).map { " \($0)" } ?? ""
            return .failed("\(path): \(error).\(remedy)")
        }
    }

    /// Returns a remedy, or nil where only the next attempt may help.
    private static func remedy(for failure: SystemError) -> String? {
        switch failure.number {
        case ENOENT, ECONNREFUSED, ENOTCONN, ECONNRESET: "Check that systemd-journald is running."
        case EACCES, EPERM: "Allow this user to write to it."
        case ENAMETOOLONG, ENOTSOCK, EPROTOTYPE: "Pass the path of the journal's socket."
        case EMFILE, ENFILE: "Raise the limit of open files."
        default: nil
        }
    }
}
#endif
