// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsDiagnostics

extension ReportingSettings {
    /// Errors are recorded also by tests; signals are left to them.
    static var errors: ReportingSettings { ReportingSettings(capture: .errorsOnly) }
}
