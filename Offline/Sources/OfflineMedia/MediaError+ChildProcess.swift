// SPDX-License-Identifier: Apache-2.0
import Glibc
import Tidings

extension MediaError {
    /// Creates the error for a tool that failed, or returns nil if the tool succeeded.
    ///
    /// - Parameters:
    ///   - result: The outcome of the tool.
    ///   - name: The tool's name.
    package init?(_ result: ChildProcess.Result, of name: String) {
        switch result.status {
        case .exited(0):
            return nil
        case .killed(let signal) where signal == Int(SIGXFSZ):
            self.init(.tooLarge, "\(name) wrote more than expected for this input.")
        case .killed(let signal) where signal == Int(SIGKILL) || signal == Int(SIGXCPU):
            self.init(.failed, "\(name) used too much time or memory and was stopped.")
        case .killed(let signal):
            self.init(.failed, "\(name) crashed (signal \(signal)).")
        case .exited(let code):
            let cause = MediaError(
                .failed,
                "\(name) exited with code \(code): \(Self.lines(result))"
            )
            if result.errorTail.contains("No space left on device") {
                self.init(.noSpace, "The disk is full. Free some space and try again.")
            } else if let damage = result.inputDamage {
                self = damage
            } else if let flaw = Self.flaws.first(where: { result.errorTail.contains($0.text) }) {
                self.init(
                    .notMedia,
                    "The content is not playable media: \(flaw.meaning). \(Self.remedy)",
                    cause: cause
                )
            } else {
                self.init(
                    .failed,
                    "\(name) cannot process the content. It may be damaged. \(Self.remedy)",
                    cause: cause
                )
            }
        }
    }

    private static let remedy = "Try again later, or use another address."

    /// Returns the message, with another remedy than the remedy for a download.
    package func message(remedy: String) -> String {
        let fault = message.replacing(" " + Self.remedy, with: "")
        return "\(fault) \(remedy)"
    }

    /// The tools' messages for content that the tools cannot or may not read, and the meanings of
    /// the messages.
    ///
    /// Specific messages come first, because a tool often prints a general message after them.
    private static let flaws = [
        (text: "moov atom not found", meaning: "its index is missing, because it is incomplete"),
        (text: "not on whitelist", meaning: "it refers to other files"),
        (text: "matches no streams", meaning: noStream),
        (text: "does not contain any stream", meaning: noStream),
        (text: "Invalid data found when processing input", meaning: damage),
        (text: "Invalid argument", meaning: damage),
        // A demuxer has accepted the beginning of the content, and found nothing after the
        // beginning.
        (text: ": End of file", meaning: damage),
    ]

    private static let noStream = "it contains neither video nor audio"
    private static let damage = "it is damaged or in an unknown format"

    /// Returns the last lines of a tool for a report, without pointers and paths.
    private static func lines(_ result: ChildProcess.Result) -> String {
        let lines = result.errorTail.split(separator: "\n").suffix(3).map { line in
            var line = String(line).replacing(/\[[^\]]* @ 0x[0-9a-f]+\] */, with: "")
            guard let match = line.firstMatch(of: /(?:^|[ :'"=])(file:|\/)/) else { return line }
            let start = match.output.1.startIndex
            // A path may contain spaces and colons, so only the last colon ends the path for
            // certain.
            let colon = line[start...].lastIndex(of: ":") ?? line.endIndex
            let end = line[colon...].hasPrefix(": ") ? colon : line.endIndex
            line.replaceSubrange(start..<end, with: "FILE")
            return line
        }
        return lines.isEmpty ? "no message" : String(lines.joined(separator: "; ").suffix(400))
    }
}
