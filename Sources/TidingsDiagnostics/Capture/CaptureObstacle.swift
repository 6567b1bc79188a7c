// SPDX-License-Identifier: Apache-2.0

/// The reason why crashes are not captured.
///
/// A program with its own setting for ``CaptureMode`` shows ``fault`` with the name of that
/// setting if ``isRemovedByMode`` is true. ``CrashReporter/State/captureObstacle`` is the text for
/// all other programs.
@nonexhaustive public enum CaptureObstacle: Hashable, Sendable {
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
    /// The system refused the signal handlers.
    ///
    /// The reasons are listed in ``CrashReporter/State/problems``.
    case refused
    /// The platform is not supported.
    case unsupported

    /// The reason and the remedy, in two sentences for users.
    var text: String { "\(fault) \(remedy)" }

    /// The reason without a remedy, in one sentence for users.
    public var fault: String {
        switch self {
        case .asked: "The program has turned the capture of crashes off."
        case .debugBuild: "Crashes are not captured, because this is a debug build."
        case .testRunner: "Crashes are not captured, because this program runs tests."
        case .traced: "Crashes are not captured, because a debugger receives them."
        case .failedStarts:
            "Crashes are not captured, because the last two starts ended during the setup."
        case .alreadyCapturing:
            "Crashes are not captured, because another reporter of this process captures them."
        case .refused: "Crashes are not captured, because the system refused the signal handlers."
        case .unsupported: "Crashes are not captured, because this system is not Linux."
        }
    }

    private var remedy: String {
        switch self {
        case .asked, .debugBuild, .testRunner: "Set `capture = .on` to capture them."
        case .traced: "Set `capture = .on` to capture them, or start without the debugger."
        case .failedStarts: "Start the program again."
        case .alreadyCapturing: "Close that reporter, or use it."
        case .refused: "Read the problems of the reporter, and restart the program."
        case .unsupported: "Read its own crash reports there."
        }
    }

    /// Whether ``CaptureMode/on`` removes the obstacle.
    public var isRemovedByMode: Bool {
        switch self {
        case .asked, .debugBuild, .testRunner, .traced: true
        case .failedStarts, .alreadyCapturing, .refused, .unsupported: false
        }
    }
}
