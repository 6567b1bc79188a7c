// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured, and all problems of the setup.
///
/// A program that runs on a new system prints it once:
///
/// ```swift
/// if !status.isOn || !status.problems.isEmpty { print(status) }
/// ```
public struct CaptureStatus: Hashable, Sendable {
    /// The reason why crashes are not captured.
    @nonexhaustive public enum Reason: String, Hashable, Sendable {
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
        /// The system refused the signal handlers; see ``CaptureStatus/problems``.
        case refused
        /// The platform is not supported.
        case unsupported
    }

    /// The reason why crashes are not captured; nil if they are.
    public let reason: Reason?
    /// Whether the text of the standard error is captured.
    public let capturesStandardError: Bool
    /// The faults of the setup because of which crash reports contain less, each with its remedy, in
    /// one or two sentences for a person.
    public let problems: [String]

    /// Whether a crash leaves a report.
    public var isOn: Bool { reason == nil }

    init(
        reason: Reason? = nil,
        capturesStandardError: Bool = false,
        problems: [String] = []
    ) {
        self.reason = reason
        self.capturesStandardError = capturesStandardError
        self.problems = problems
    }
}

extension CaptureStatus: CustomStringConvertible {
    /// The state and all problems, one per line.
    public var description: String {
        let state = reason.map { "off: \($0.rawValue)" } ?? "on"
        return (["capture \(state)"] + problems).joined(separator: "\n")
    }
}
