// SPDX-License-Identifier: Apache-2.0
package import TidingsDiagnostics

/// The part of the work in which something failed; every report of this program names it.
package enum FailureKind: String, Sendable, CaseIterable {
    /// Bytes could not be fetched or kept.
    case download
    /// A playlist, or what stood in its place, could not be read.
    case parse
    /// The parts could not be joined into one file, or the file did not pass its check.
    case mux
    /// The registry refused.
    case database

    /// The name of the context value that says which kind a report is of.
    package static let key = "error_type"

    fileprivate var value: ReportValue { .text(rawValue) }
}

extension CrashReporter {
    /// Records that something could not be fetched or kept.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - address: What was to be fetched, redacted.
    ///   - retries: How often it was tried again.
    ///   - level: How bad it is.
    package func recordDownloadFailure(
        _ error: any Error,
        address: String,
        retries: Int,
        level: ReportLevel = .error
    ) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.download.value,
                "download_url": .text(address),
                "retry_count": .integer(retries),
            ],
            level: level
        )
    }

    /// Records that a playlist, or what stood in its place, could not be read.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - manifest: Where it is, redacted.
    ///   - level: How bad it is.
    package func recordParseFailure(
        _ error: any Error,
        manifest: String,
        level: ReportLevel = .error
    ) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.parse.value,
                "manifest_url": .text(manifest),
            ],
            level: level
        )
    }

    /// Records that parts did not become one good file.
    ///
    /// - Parameters:
    ///   - error: Why; a failure of the program that joins them says how that ended.
    ///   - segments: How many parts there are.
    package func recordMuxFailure(_ error: any Error, segments: Int) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.mux.value,
                "segment_count": .integer(segments),
            ]
        )
    }

    /// Records that the registry refused.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - operation: What was asked of it.
    package func recordDatabaseFailure(_ error: any Error, operation: String) {
        record(
            error,
            context: [
                FailureKind.key: FailureKind.database.value,
                "operation": .text(operation),
            ]
        )
    }

    /// Records a report that a person asked for, to see what one looks like.
    package func recordTest() -> Report.ID? {
        record(TestReport(), context: [FailureKind.key: "test"], level: .info)
    }
}

private struct TestReport: ReportableError {
    let reportCode: String? = "test"
    let reportMessage = "A test report: nothing has failed."
}
