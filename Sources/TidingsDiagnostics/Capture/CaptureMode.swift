// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured.
///
/// ```swift
/// configuration.capture = .on  // also in a debug build, under a test runner and a debugger
/// ```
@nonexhaustive public enum CaptureMode: Hashable, Sendable {
    /// Errors and crashes are recorded, unless the program is a debug build, runs tests or is being
    /// debugged: then nothing is recorded.
    ///
    /// The build configuration of this package decides, which is that of the program.
    case automatic
    /// Crashes are always captured.
    case on
    /// Errors and breadcrumbs are recorded, but no signal handler is installed. For programs with
    /// another crash reporter.
    case errorsOnly
    /// Nothing is captured or recorded.
    case off

    /// The reason why this process does not capture crashes; nil if it does.
    func obstacle(in process: ProcessTraits = .current()) -> CaptureObstacle? {
        switch self {
        case .on: nil
        case .off, .errorsOnly: .asked
        case .automatic where process.isTestRunner: .testRunner
        case .automatic where process.isTraced: .traced
        case .automatic: process.isDebugBuild ? .debugBuild : nil
        }
    }
}
