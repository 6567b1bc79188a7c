// SPDX-License-Identifier: Apache-2.0

/// What the runtime says of the reason of a crash.
struct CrashReason: Equatable, Sendable {
    /// With what the runtimes of Swift, C and C++ begin when they end a program.
    private static let beginnings = [
        "Fatal error", "Precondition failed", "Assertion failed", "Could not cast value of type",
        "Fatal access conflict detected", "Assertion `", "terminate called",
    ]
    /// What follows the text of a fatal error in a debug build.
    private static let end = "Current stack trace:"
    private static let lineLimit = 8

    let text: String

    /// Finds the reason; nil when nobody has said any.
    ///
    /// - Parameters:
    ///   - capture: The crash.
    ///   - innermost: The functions where it crashed, as ``Symbolicator`` gives them.
    init?(_ capture: RawCapture, innermost: [Symbol]) {
        let failure = innermost.first { $0.isRuntimeFailure }?.name
        // A trap that the compiler has put into the program prints nothing: what stands in the
        // text is of something else then.
        if let failure, innermost.last?.isSystem == false {
            text = failure
        } else if let said = Self.said(in: capture) {
            text = said
        } else if let failure {
            text = failure
        } else {
            return nil
        }
    }

    private static func said(in capture: RawCapture) -> String? {
        // What another process has sent was not announced by this one.
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
