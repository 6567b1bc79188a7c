// SPDX-License-Identifier: Apache-2.0

/// A user's comment on a report.
struct ReportComment: Hashable, Sendable, Codable {
    /// The maximum number of unsent comments, beyond which the oldest comments are dropped.
    static let limit = 20
    /// The maximum size of a comment in bytes.
    static let textLimit = 4_096

    let report: Report.ID
    let text: String
}

extension ReporterState {
    /// Adds a comment, which replaces an unsent comment on the same report.
    mutating func add(_ comment: ReportComment) {
        comments.removeAll { $0.report == comment.report }
        comments.append(comment)
        comments.removeFirst(max(0, comments.count - ReportComment.limit))
    }

    /// The comments to send, by report identifier.
    var pendingComments: [Report.ID: String] {
        Dictionary(comments.map { ($0.report, $0.text) }) { _, last in last }
    }
}
