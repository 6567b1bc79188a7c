// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
package import TidingsDiagnostics

extension FailureKind {
    fileprivate var value: ReportValue { .text(rawValue) }
}

extension CrashReporter {
    /// Records a failure to fetch or store content.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - address: The redacted address of the content.
    ///   - retries: The number of retries before the failure.
    package func recordDownloadFailure(_ error: any Error, address: String, retries: Int) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.download.value,
                "download_url": .text(address),
                "retry_count": .integer(retries),
            ]
        )
    }

    /// Records a failure to parse a playlist, or the content that arrived instead.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - manifest: The redacted address of the playlist.
    package func recordParseFailure(_ error: any Error, manifest: String) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.parse.value,
                "manifest_url": .text(manifest),
            ]
        )
    }

    /// Records a failure to join the segments into one valid file.
    ///
    /// - Parameters:
    ///   - error: The failure. If ffmpeg failed, the message contains the exit status.
    ///   - segments: The number of segments.
    package func recordMuxFailure(_ error: any Error, segments: Int) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.mux.value,
                "segment_count": .integer(segments),
            ]
        )
    }

    /// Records a failure of the registry.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - operation: The failed operation.
    package func recordDatabaseFailure(_ error: any Error, operation: String) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.database.value,
                "operation": .text(operation),
            ]
        )
    }

    /// Records a test report, which shows the user the content of a report.
    ///
    /// - Returns: The identifier of the report, or nil while the recording is off.
    package func recordTest() -> Report.ID? {
        record(TestReport(), context: [FailureKind.key: "test"], level: .info)
    }
}

private struct TestReport: ReportableError {
    let reported = ReportedError(
        domain: String(reflecting: TestReport.self),
        code: "test",
        message: "A test report: nothing has failed."
    )
}
