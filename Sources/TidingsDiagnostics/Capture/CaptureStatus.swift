// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured, and what of it could not be set up.
///
/// A program that runs somewhere new prints it once:
///
/// ```swift
/// if !status.isOn || !status.problems.isEmpty { print(status) }
/// ```
public struct CaptureStatus: Hashable, Sendable {
    /// Why crashes are not captured.
    @nonexhaustive public enum Reason: String, Hashable, Sendable {
        /// The program wants it so.
        case asked
        /// The program is a debug build, and nobody has asked for it.
        case debugBuild
        /// The program runs its tests, and nobody has asked for it.
        case testRunner
        /// A debugger sees the signals first, and nobody has asked for it.
        case traced
        /// The last two starts have died in it.
        case failedStarts
        /// Another reporter of this process captures them.
        case alreadyCapturing
        /// The system did not give the signals; ``CaptureStatus/problems`` says why.
        case refused
        /// Not on this platform.
        case unsupported
    }

    /// Something that could not be set up: what crashes leave behind is less by that.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// What of a capture it concerns.
        @nonexhaustive public enum Part: String, Hashable, Sendable {
            /// The files for reports.
            case reportFile
            /// The list of what is loaded.
            case images
            /// The stack on which a thread says that its own is full.
            case signalStack
            /// The text of the standard error.
            case standardError
            /// The signals themselves.
            case signals
        }

        /// What of a capture it concerns.
        public let part: Part
        /// What happened and what to do about it, in one or two sentences for a person.
        public let message: String

        /// The part and the message.
        public var description: String { "\(part.rawValue): \(message)" }
    }

    /// Why crashes are not captured; nil when they are.
    public let reason: Reason?
    /// Whether the text of the standard error is kept.
    public let capturesStandardError: Bool
    /// What could not be set up.
    public let problems: [Problem]

    /// Whether a crash leaves a report.
    public var isOn: Bool { reason == nil }

    init(
        reason: Reason? = nil,
        capturesStandardError: Bool = false,
        problems: [Problem] = []
    ) {
        self.reason = reason
        self.capturesStandardError = capturesStandardError
        self.problems = problems
    }
}

extension CaptureStatus: CustomStringConvertible {
    /// Whether it is on, and what could not be set up, a line each.
    public var description: String {
        let state = reason.map { "off: \($0.rawValue)" } ?? "on"
        return (["capture \(state)"] + problems.map(\.description)).joined(separator: "\n")
    }
}
