// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import TidingsDiagnostics

extension ReportingSettings {
    /// Settings that record errors even in tests, but install no signal handlers.
    static var errors: ReportingSettings { ReportingSettings(capture: .errorsOnly) }
}
