// SPDX-License-Identifier: Apache-2.0
// A report sent to a server with Sentry's protocol, and the result.
import TidingsDiagnostics
import TidingsSentry

let sink = try SentrySink.sentry(dsn: "https://0a1b2c3d4e5f@errors.example.org/7")

func deliver(_ report: Report, to sink: SentrySink) async {
    let receipt = await sink.send(ReportDelivery(report: report))
    print(receipt.reason ?? "It has arrived.")
}

print("Reports will be sent to \(sink.address), encrypted: \(sink.address.isEncrypted).")
