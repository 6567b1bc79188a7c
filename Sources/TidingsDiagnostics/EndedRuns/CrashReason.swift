// SPDX-License-Identifier: Apache-2.0

/// The reason that the runtime gives for a crash.
struct CrashReason: Equatable, Sendable {
    /// The first words of the messages that the Swift, C and C++ runtimes print before they end a
    /// program.
    private static let beginnings = [
        "Fatal error", "Precondition failed", "Assertion failed", "Could not cast value of type",
        "Fatal access conflict detected", "Assertion `", "terminate called",
    ]
    /// The line that follows the text of a fatal error in a debug build.
    private static let end = "Current stack trace:"
    private static let lineLimit = 8

    let text: String

    /// Finds the reason, or returns nil if there is none.
    ///
    /// - Parameters:
    ///   - capture: The crash.
    ///   - innermost: The innermost functions, as ``Symbolicator`` returns them.
    init?(_ capture: RawCapture, innermost: [Symbol]) {
        let failure = innermost.first { $0.isRuntimeFailure }?.name
        // A trap in compiled code prints nothing, so the captured text is about something else.
        if let failure, innermost.last?.isSystem == false {
            text = failure
        } else if let message = capture.abortMessage?.trimmingSuffix(while: \.isWhitespace),
            !message.isEmpty
        {
            text = message
        } else if let message = Self.runtimeMessage(in: capture) {
            text = message
        } else if let failure {
            text = failure
        } else {
            return nil
        }
    }

    private static func runtimeMessage(in capture: RawCapture) -> String? {
        // This process prints no message about a signal that another process sends.
        if let signal = capture.signal, signal.code <= 0, signal.sender != signal.process {
            return nil
        }
        let lines = String(decoding: capture.text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard
            let index = lines.lastIndex(where: { line in
                beginnings.contains { line.contains($0) }
            })
        else { return nil }
        let rest = lines[index...].prefix { !$0.hasPrefix(end) }.prefix(lineLimit)
        guard let first = rest.first else { return nil }
        let starts = beginnings.compactMap { first.firstRange(of: $0)?.lowerBound }
        let start = starts.min() ?? first.startIndex
        let text = ([first[start...]] + rest.dropFirst()).joined(separator: "\n")
        return text.trimmingSuffix { $0.isWhitespace }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isDropped(last) { text.removeLast() }
        return String(text)
    }
}
