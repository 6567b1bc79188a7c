import Glibc
// SPDX-License-Identifier: Apache-2.0
import Tidings

extension MediaError {
    /// Creates the error for a tool that ended badly, nil if it ended well.
    ///
    /// - Parameters:
    ///   - result: How the tool ended.
    ///   - name: The tool's name.
    init?(_ result: ChildProcess.Result, of name: String) {
        switch result.status {
        case .exited(0):
            return nil
        case .killed(let signal) where signal == Int(SIGXFSZ):
            self.init(.tooLarge, "\(name) wrote more than was expected of this input.")
        case .killed(let signal) where signal == Int(SIGKILL) || signal == Int(SIGXCPU):
            self.init(.failed, "\(name) used too much time or memory and was stopped.")
        case .killed(let signal):
            self.init(.failed, "\(name) crashed (signal \(signal)).")
        case .exited(let code):
            let words = Self.lastWords(result.errorTail)
            if result.errorTail.contains("No space left on device") {
                self.init(.noSpace, "The disk is full; free some space and try again.")
            } else if Self.refusals.contains(where: result.errorTail.contains) {
                self.init(.notMedia, "The content is not media that can be played (\(words)).")
            } else {
                self.init(.failed, "\(name) ended with code \(code) (\(words)).")
            }
        }
    }

    /// What the tools say of content that is none of the formats they may read.
    private static let refusals = [
        "Invalid data found when processing input", "Invalid argument", "not on whitelist",
        "matches no streams", "does not contain any stream",
    ]

    private static func lastWords(_ text: String) -> String {
        let lines = text.split(separator: "\n").suffix(3)
        return lines.isEmpty ? "no message" : String(lines.joined(separator: "; ").suffix(400))
    }
}
