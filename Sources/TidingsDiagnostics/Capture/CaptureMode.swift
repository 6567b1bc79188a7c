// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured.
///
/// ```swift
/// configuration.capture = .on  // also in a debug build, under a test runner and a debugger
/// ```
@nonexhaustive public enum CaptureMode: Hashable, Sendable {
    /// Errors and crashes are recorded, except in a debug build, in a test run or under a debugger.
    ///
    /// Nothing is recorded in these three cases. A debug build is recognized by the build
    /// configuration of this package, which is the same as the program's.
    case automatic
    /// Crashes are always captured.
    case on
    /// Errors and breadcrumbs are recorded, but no signal handler is installed.
    ///
    /// This mode is for programs with another crash reporter.
    case errorsOnly
    /// Nothing is captured or recorded.
    case off

    /// Returns the reason why a process does not capture crashes, or nil if crashes are captured.
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
