// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics
import TidingsSentry

/// Sends deliveries from standard input and prints a receipt for each:
/// `TidingsSendReports DSN < DELIVERIES`.
///
/// Each line is one delivery in JSON. The end-to-end tests check the results with programs of other
/// authors. Dates are seconds since 1970, or ISO 8601 strings as in spool files. The strings
/// `<nan>`, `<inf>` and `<-inf>` are the numbers that JSON does not have.
@main
struct TidingsSendReports {
    private struct DeliveryLine: Decodable {
        let report: Report?
        let sessions: [ReportedSession]?
        let losses: [ReportLoss]?
        let comments: [Report.ID: String]?

        var delivery: ReportDelivery {
            ReportDelivery(
                report: report,
                sessions: sessions ?? [],
                losses: losses ?? [],
                comments: comments ?? [:]
            )
        }
    }

    private struct Receipt: Encodable {
        let outcome: String
        let reason: String?
        let pauses: [String: Double]

        init(_ receipt: ReportReceipt) {
            (outcome, reason) =
                switch receipt.outcome {
                case .accepted: ("accepted", nil)
                case .refused(let reason): ("refused", reason)
                case .limited: ("limited", nil)
                case .failed(let reason): ("failed", reason)
                @unknown default: ("unknown", nil)
                }
            let pauses = receipt.pauses.map { ($0.key.rawValue, $0.value / .seconds(1)) }
            self.pauses = Dictionary(uniqueKeysWithValues: pauses)
        }
    }

    static func main() async throws {
        let sink = try SentrySink.sentry(dsn: CommandLine.arguments.dropFirst().first ?? "")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let seconds = try? container.decode(Double.self) {
                return Date(timeIntervalSince1970: seconds)
            }
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                .parse(container.decode(String.self))
        }
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "<inf>",
            negativeInfinity: "<-inf>",
            nan: "<nan>"
        )
        let encoder = JSONEncoder()
        while let line = readLine() {
            let delivery = try decoder.decode(DeliveryLine.self, from: Data(line.utf8)).delivery
            let receipt = Receipt(await sink.send(delivery))
            FileHandle.standardOutput.write(try encoder.encode(receipt) + Data("\n".utf8))
        }
    }
}
