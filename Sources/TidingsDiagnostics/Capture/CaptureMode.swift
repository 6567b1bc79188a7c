// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured.
///
/// ```swift
/// configuration.capture = .on  // also in a debug build, under a test runner and a debugger
/// ```
@nonexhaustive public enum CaptureMode: Hashable, Sendable {
    /// Captured unless the program is a debug build, runs its tests or is debugged.
    ///
    /// What counts is how this package was built, which is as the program that it is built for.
    case automatic
    /// Captured whatever the program is.
    case on
    /// Errors and breadcrumbs are recorded, and no signal is taken: for a program whose crashes
    /// are somebody else's business.
    case errorsOnly
    /// Not captured, and nothing is recorded.
    case off

    /// Why this process does not capture; nil when it does.
    func obstacle(in process: ProcessFacts = .current()) -> CaptureStatus.Reason? {
        switch self {
        case .on: nil
        case .off, .errorsOnly: .asked
        case .automatic where process.isTestRunner: .testRunner
        case .automatic where process.isTraced: .traced
        case .automatic: process.isDebugBuild ? .debugBuild : nil
        }
    }
}
