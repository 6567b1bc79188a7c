// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// A sink that appends each delivery to a file, as one line of JSON.
///
/// The file is made for its owner alone and never cut; several processes may write to it. A line
/// is there whole or not at all, and waits for the disk before it counts as accepted. Each has
/// `sent`, and `report`, `sessions` and `losses` as far as there are any.
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
    }

    /// How long other processes are waited for.
    private static let lockLimit = Duration.seconds(2)

    /// The path of the file.
    public let path: String
    private let queue = DispatchQueue(label: "tidings.diagnostics.file-sink", qos: .utility)

    /// Creates a sink; the file is made with the first delivery.
    ///
    /// - Parameter path: The path of the file; its folder has to be there.
    public init(path: String) {
        self.path = path
    }

    /// Appends the delivery; it fails when the file cannot be written, as on a full disk.
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
            losses: delivery.losses.isEmpty ? nil : delivery.losses
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
