// SPDX-License-Identifier: Apache-2.0
import OfflineApp
import Testing
import TidingsDiagnostics

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ReportingSettingsTests {
    private func settings(
        _ environment: [String: String],
        sentry: String? = nil
    ) throws -> ReportingSettings {
        try ReportingSettings(environment: environment, sentry: sentry)
    }

    @Test(arguments: [
        ("on", CaptureMode.on), ("off", .off), ("errors", .errorsOnly), ("", .automatic),
    ])
    func theEnvironmentSelectsTheCaptureMode(_ text: String, _ mode: CaptureMode) throws {
        #expect(try settings(["OFFLINE_DIAGNOSTICS": text]).capture == mode)
    }

    @Test func anUnknownModeIsAnErrorThatNamesTheModes() {
        let error = #expect(throws: UsageError.self) {
            try settings(["OFFLINE_DIAGNOSTICS": "yes"])
        }
        #expect(
            error?.message
                == "OFFLINE_DIAGNOSTICS has the unknown value “yes”. Use on, off or errors."
        )
    }

    @Test func withoutADestinationReportsAreNotSent() throws {
        for settings in [try settings([:]), try settings(["OFFLINE_SENTRY_DSN": ""])] {
            #expect(settings.sink == nil)
            #expect(settings.destination == nil)
            #expect(settings.capturesStandardError)
        }
    }

    @Test func theCommandLineOverridesTheEnvironment() throws {
        let environment = ["OFFLINE_SENTRY_DSN": "https://0a1b@errors.example/7"]
        #expect(try settings(environment).destination == "https://errors.example/7")
        let other = try settings(environment, sentry: "https://0a1b@other.example/8")
        #expect(other.destination == "https://other.example/8")
        #expect(other.sink != nil)
    }

    @Test func anInvalidDSNIsAnErrorWithAnExample() {
        let error = #expect(throws: UsageError.self) {
            try settings([:], sentry: "https://errors.example/7")
        }
        #expect(error?.message.contains("https://KEY@HOST/PROJECT") == true)
    }
}
