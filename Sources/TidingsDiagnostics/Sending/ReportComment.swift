// SPDX-License-Identifier: Apache-2.0

/// A person's comment on a report.
struct ReportComment: Hashable, Sendable, Codable {
    /// The maximum number of comments that wait to be sent; the oldest are dropped.
    static let limit = 20
    /// The maximum size of a comment in bytes.
    static let textLimit = 4_096

    let report: Report.ID
    let text: String
}

extension ReporterState {
    /// Adds a comment, which replaces an unsent one on the same report.
    mutating func add(_ comment: ReportComment) {
        comments.removeAll { $0.report == comment.report }
        comments.append(comment)
        comments.removeFirst(max(0, comments.count - ReportComment.limit))
    }

    /// The comments to send, by the report.
    var pendingComments: [Report.ID: String] {
        Dictionary(comments.map { ($0.report, $0.text) }) { _, last in last }
    }
}
