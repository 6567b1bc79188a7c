// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsDiagnostics
import TidingsSentry

extension ReportingSettings {
    /// As the person wants it: by the command line, or else by the environment.
    ///
    /// - Parameters:
    ///   - environment: `OFFLINE_DIAGNOSTICS` is `on`, `off` or `errors`; `OFFLINE_SENTRY_DSN`
    ///     says where reports may be sent.
    ///   - sentry: Where reports may be sent, before what the environment says.
    /// - Throws: `UsageError` for what is none of these.
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
            throw UsageError("OFFLINE_DIAGNOSTICS is on, off or errors, and not “\(other)”.")
        }
    }
}
