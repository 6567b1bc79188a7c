// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

extension Report {
    /// The lines of the report, which are safe to print on a terminal.
    ///
    /// The first line contains the crash or error. One line for each call follows, starting with
    /// the innermost call, and then the other threads.
    var frameLines: [String] {
        let head = crash.map {
            [[$0.signal, $0.reason].compactMap(\.self).joined(separator: ": ")]
        }
        let lines = (head ?? errors.prefix(1).map(\.message)) + frames.map(\.lineText)
        let others = threads.flatMap { thread in
            ["thread \(thread.number)\(thread.name.map { " \($0)" } ?? "")"]
                + thread.frames.map(\.lineText)
        }
        return (lines + others).map(\.forTerminal)
    }
}

extension ReportedFrame {
    fileprivate var lineText: String {
        let place = file.map { file in "  \(file)\(line.map { ":\($0)" } ?? "")" } ?? ""
        let name = function ?? "?"
        let from = image.map { " in \($0)" } ?? ""
        return
            "0x\(String(address, radix: 16)) \(name)\(isInlined ? " (inlined)" : "")\(from)\(place)"
    }
}
