// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes to the person at the terminal.
enum Terminal {
    static let isInteractive = isatty(messages) == 1

    /// The standard error as the program was given it: what is written here is for the person, and
    /// does not pass through what keeps the end of the standard error for the report of a crash.
    private static let messages: Int32 = {
        let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        return own < 0 ? STDERR_FILENO : own
    }()

    /// Takes hold of the standard error; to be called before anything else takes it.
    static func begin() {
        _ = messages
    }

    /// A result, for people and for pipes.
    static func print(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// A message beside the results.
    static func note(_ text: String) {
        write(text + "\n", to: messages)
    }

    /// Replaces the present line; nothing where nobody looks.
    static func show(line: String) {
        if isInteractive { write("\r\u{1B}[2K" + line, to: messages) }
    }

    /// A terminal takes control characters as commands, so text from elsewhere loses them.
    static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: scalar != "\n"
        default: false
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { bytes = bytes.dropFirst(count) }
            if count < 0, errno != EINTR { return }
        }
    }
}
