// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TidingsFiles

/// A sink that appends each delivery to a file as one line of JSON.
///
/// Only the owner can read the file, and the sink never truncates the file. Several processes may
/// write to the same file. A line is written completely or not at all, and counts as accepted only
/// when it is on disk. Each line has `sent`, and has `report`, `sessions`, `losses` and `comments`
/// if present. The sink does not limit the size of the file. If you rename the file, as `logrotate`
/// does, the next delivery creates a new file.
///
/// ```swift
/// let sink = FileSink(path: "/var/log/films/reports.jsonl")
/// ```
public final class FileSink: ReportSink {
    private struct Line: Encodable {
        let sent: Date
        let report: Report?
        let sessions: [ReportedSession]?
        let losses: [ReportLoss]?
        let comments: [Report.ID: String]?
    }

    /// The maximum time to wait for other processes.
    private static let lockLimit = Duration.seconds(2)

    private let path: String
    private let queue = DispatchQueue(label: "tidings.diagnostics.file-sink", qos: .utility)

    /// Creates a sink.
    ///
    /// The first delivery creates the file.
    ///
    /// - Parameter path: The path of the file in an existing folder.
    public init(path: String) {
        self.path = path
    }

    /// Appends the delivery to the file.
    ///
    /// The result is a failure if the file cannot be written, for example on a full disk.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: append(delivery)) }
        }
    }

    private func append(_ delivery: ReportDelivery) -> ReportReceipt {
        let line = Line(
            sent: Date(),
            report: delivery.report,
            sessions: delivery.sessions.isEmpty ? nil : delivery.sessions,
            losses: delivery.losses.isEmpty ? nil : delivery.losses,
            comments: delivery.comments.isEmpty ? nil : delivery.comments
        )
        do {
            let data = try ReportFormat.encode(line)
            try SystemFile.append(data, to: path, within: Self.lockLimit)
            return ReportReceipt(.accepted)
        } catch {
            return ReportReceipt(.failed("\(path): \(error)"))
        }
    }
}
