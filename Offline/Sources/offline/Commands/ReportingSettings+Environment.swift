// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineApp
import TidingsDiagnostics
import TidingsSentry

extension ReportingSettings {
    /// Creates settings from the command line and the environment variables.
    ///
    /// - Parameters:
    ///   - environment: The variables: `OFFLINE_DIAGNOSTICS` is `on`, `off` or `errors`, and
    ///     `OFFLINE_SENTRY_DSN` is the destination of the reports.
    ///   - sentry: The destination from the command line, which overrides the variable.
    /// - Throws: `UsageError` for any other value.
    init(environment: [String: String], sentry: String?) throws(UsageError) {
        self.init(capture: try Self.capture(environment["OFFLINE_DIAGNOSTICS"]))
        capturesStandardError = true
        outgoing = { SentrySink.preview(of: $0) }
        let set = environment["OFFLINE_SENTRY_DSN"].flatMap { $0.isEmpty ? nil : $0 }
        guard let dsn = sentry ?? set else { return }
        do throws(SentryError) {
            let sink = try SentrySink.sentry(dsn: dsn)
            self.sink = sink
            destination = sink.address.description
        } catch {
            throw UsageError(error.message)
        }
    }

    private static func capture(_ text: String?) throws(UsageError) -> CaptureMode {
        switch text {
        case nil, "": return .automatic
        case "on": return .on
        case "off": return .off
        case "errors": return .errorsOnly
        case let other?:
            throw UsageError(
                "OFFLINE_DIAGNOSTICS has the unknown value “\(other)”. Use on, off or errors."
            )
        }
    }
}
