// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics
import TidingsSentry

/// Sends what it reads, one delivery in JSON on each line, and prints a receipt for each:
/// `SendReports DSN < DELIVERIES`.
///
/// The end-to-end tests let programs that others wrote judge what arrives. Dates are seconds since
/// 1970, or texts as in the files of a spool; `<nan>`, `<inf>` and `<-inf>` are the numbers for which
/// JSON has no form.
@main
struct SendReports {
    private struct Line: Decodable {
        let report: Report?
        let sessions: [ReportedSession]?
        let losses: [ReportLoss]?

        var delivery: ReportDelivery {
            ReportDelivery(report: report, sessions: sessions ?? [], losses: losses ?? [])
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
            let delivery = try decoder.decode(Line.self, from: Data(line.utf8)).delivery
            let receipt = Receipt(await sink.send(delivery))
            FileHandle.standardOutput.write(try encoder.encode(receipt) + Data("\n".utf8))
        }
    }
}
