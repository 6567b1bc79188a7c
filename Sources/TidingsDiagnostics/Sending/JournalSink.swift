// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import TidingsFiles

/// A sink that writes reports to the journal of systemd.
///
/// Each report is one entry with the fault as its message, the severity as its priority, the place
/// in `CODE_FILE` and `CODE_LINE`, the calls in `TIDINGS_STACK`, and the whole report as JSON in
/// `TIDINGS_REPORT`. A comment is an entry with the same `TIDINGS_REPORT_ID`. The journal may have
/// more readers than this user. An entry of any size is written whole or not at all.
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

    /// Writes the comments and the report; fails if no journal is running, or if it accepts nothing
    /// for a second.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        do {
            var entries = delivery.comments.sorted { $0.key < $1.key }.map { id, text in
                JournalEntry(comment: text, on: id)
            }
            // Last, because a failure sends all of them again, and the report is the largest.
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

    /// Returns nil where the next attempt may help, and nothing else.
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
