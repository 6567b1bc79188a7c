// SPDX-License-Identifier: Apache-2.0
// An error with breadcrumbs, redacted, in a folder on this machine.
import Foundation
import Tidings
import TidingsDiagnostics

struct PageShown: Message {
    static var tracing: MessageTracing { .described }
    let name: String
}

struct FetchFailed: Error {
    let address = "https://example.org/film.m3u8?token=secret"
}

let folder = NSTemporaryDirectory() + "films-reports"
var configuration = CrashReporter.Configuration(
    application: "films",
    release: "films@1.0",
    directory: folder
)
configuration.capture = .on  // also in a debug build
let reporter = try CrashReporter.start(configuration)
let center = MessageCenter()
reporter.follow(center)
center.post(PageShown(name: "library"))
reporter.setValue(7, forKey: "download_queue_size")
reporter.record(FetchFailed(), context: ["retry_count": 2])

for report in await reporter.unsentReports() {
    print(report.errors.map(\.message), report.context, report.breadcrumbs.map(\.text))
}
try await reporter.deleteUnsent()
await reporter.close()
