// SPDX-License-Identifier: Apache-2.0

/// The reason why crashes are not captured.
///
/// ```swift
/// if let obstacle = reporter.state.obstacle { print("No crash reports: \(obstacle)") }
/// ```
@nonexhaustive public enum CaptureObstacle: String, Hashable, Sendable {
    /// The program has disabled capturing.
    case asked
    /// The program is a debug build and has not enabled capturing.
    case debugBuild
    /// The program runs tests and has not enabled capturing.
    case testRunner
    /// A debugger receives the signals first, and the program has not enabled capturing.
    case traced
    /// The last two starts of the reporter failed.
    case failedStarts
    /// Another reporter of this process captures crashes.
    case alreadyCapturing
    /// The system refused the signal handlers; see ``CrashReporter/State/problems``.
    case refused
    /// The platform is not supported.
    case unsupported
}
