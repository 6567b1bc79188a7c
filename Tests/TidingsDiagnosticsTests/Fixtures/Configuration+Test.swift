// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

extension CrashReporter.Configuration {
    /// Creates the configuration of a program under test.
    init(test path: String, _ capture: CaptureMode) {
        self.init(application: "test", release: "test@1", directory: path)
        self.capture = capture
    }
}
