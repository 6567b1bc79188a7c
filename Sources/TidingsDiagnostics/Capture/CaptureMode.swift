// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured.
///
/// ```swift
/// configuration.capture = .on  // also in a debug build, under a test runner and a debugger
/// ```
public struct CaptureMode: Hashable, Sendable {
    enum Value: Hashable {
        case automatic(isDebugBuild: Bool)
        case on
        case off
    }

    let value: Value

    /// Captured unless the program is a debug build, runs its tests or is debugged.
    ///
    /// What counts is how the code was built that says `.automatic`, or that leaves it out.
    @_alwaysEmitIntoClient public static var automatic: CaptureMode {
        CaptureMode(isDebugBuild: _isDebugAssertConfiguration())
    }

    /// Captured whatever the program is.
    public static let on = CaptureMode(.on)

    /// Not captured.
    public static let off = CaptureMode(.off)

    private init(_ value: Value) {
        self.value = value
    }

    @usableFromInline init(isDebugBuild: Bool) {
        value = .automatic(isDebugBuild: isDebugBuild)
    }

    /// Why this process does not capture; nil when it does.
    func obstacle(in process: ProcessFacts = .current()) -> CaptureStatus.Reason? {
        switch value {
        case .on: nil
        case .off: .asked
        case .automatic where process.isTestRunner: .testRunner
        case .automatic where process.isTraced: .traced
        case .automatic(let isDebugBuild): isDebugBuild ? .debugBuild : nil
        }
    }
}
