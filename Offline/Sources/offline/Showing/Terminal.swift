// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The output of the program.
enum Terminal {
    static let isInteractive = isatty(messages) == 1

    /// A copy of the original standard error.
    ///
    /// Messages to the user bypass the pipe that captures the standard error for crash reports.
    private static let messages: Int32 = {
        let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        return own < 0 ? STDERR_FILENO : own
    }()

    /// Copies the standard error.
    ///
    /// Call this function before anything redirects the standard error.
    static func begin() {
        _ = messages
    }

    /// The error of the first result that could not be printed, or 0 without an error.
    private static let lost = Atomic<Int32>(0)

    /// Why a result is lost, such as a full disk.
    ///
    /// The value is nil if each result was printed.
    ///
    /// A reader that closed the pipe needs no further output, so a closed pipe does not count.
    static var lossOfOutput: String? {
        let number = lost.load(ordering: .relaxed)
        return number == 0 || number == EPIPE ? nil : String(cString: strerror(number))
    }

    /// Prints a result to the standard output.
    static func print(_ text: String) {
        let error = write(text + "\n", to: STDOUT_FILENO)
        guard error != 0 else { return }
        _ = lost.compareExchange(expected: 0, desired: error, ordering: .relaxed)
    }

    /// Prints a message to the standard error.
    static func note(_ text: String) {
        write(text + "\n", to: messages)
    }

    /// Replaces the last lines of a terminal.
    ///
    /// Without a terminal, this function does nothing.
    ///
    /// - Parameters:
    ///   - lines: The new lines, each narrower than the terminal.
    ///   - shown: The number of lines to replace.
    static func show(_ lines: [String], over shown: Int) {
        guard isInteractive else { return }
        let start = shown > 1 ? "\u{1B}[\(shown - 1)A" : ""
        let end = lines.count < shown ? "\u{1B}[J" : ""
        write(start + lines.map { "\r\u{1B}[2K" + $0 }.joined(separator: "\n") + end, to: messages)
    }

    /// The number of columns of the terminal that a line can fill without a wrap.
    static var width: Int {
        let size = size
        return size.ws_col > 1 ? Int(size.ws_col) - 1 : 79
    }

    /// The number of lines of the terminal.
    static var height: Int {
        let size = size
        return size.ws_row > 0 ? Int(size.ws_row) : 24
    }

    private static var size: winsize {
        var size = winsize()
        return ioctl(messages, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
    }

    /// Whether the user wants colors: `NO_COLOR` is empty or not set.
    static var hasColors: Bool {
        ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }

    /// Returns the text as one line without control characters.
    ///
    /// A terminal would execute control characters as commands, and a line break in a title would
    /// forge a row.
    static func clean(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.filter { !isControl($0) }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: true
        default: false
        }
    }

    /// Writes a text and returns the number of the error, or 0.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { bytes = bytes.dropFirst(count) }
            if count < 0, errno != EINTR { return errno }
        }
        return 0
    }
}
