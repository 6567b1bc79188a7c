// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// The frames of a report as lines, with runs of system frames folded.
enum ReportFrames {
    static func lines(_ frames: [ReportRepresentation.Frame]) -> [String] {
        var lines: [String] = []
        var folded = 0
        var last: (text: String, number: Int, repeats: Int)?
        func appendLast() {
            guard let line = last else { return }
            lines.append(numbered(line.number, line.text) + repeated(line.repeats))
            last = nil
        }
        for (number, frame) in frames.enumerated() {
            if frame.isSystem {
                appendLast()
                folded += 1
                continue
            }
            lines += fold(&folded)
            let text = text(frame)
            if last?.text == text {
                last?.repeats += 1
            } else {
                appendLast()
                last = (text, number, 0)
            }
        }
        appendLast()
        return lines + fold(&folded)
    }

    /// Folds a recursion, such as one that overflowed the stack, into one line.
    private static func repeated(_ count: Int) -> String {
        count == 0 ? "" : "  and \(count) more like it"
    }

    private static func fold(_ count: inout Int) -> [String] {
        defer { count = 0 }
        switch count {
        case 0: return []
        case 1: return ["       1 call in system code"]
        default: return ["       \(count) calls in system code"]
        }
    }

    private static func numbered(_ number: Int, _ text: String) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, 5 - digits.count)) + digits + "  " + text
    }

    private static func text(_ frame: ReportRepresentation.Frame) -> String {
        let site = frame.file.map { file in
            "at " + ([name(file)] + (frame.line.map { ["\($0)"] } ?? [])).joined(separator: ":")
        }
        var notes: [String] = []
        if frame.isInlined { notes.append("inlined") }
        if frame.isScanned { notes.append("possibly from an earlier call") }
        let parts = [
            frame.function ?? frame.address,
            site ?? frame.image.map { "in \(name($0))" },
            notes.isEmpty ? nil : "(\(notes.joined(separator: ", ")))",
        ]
        return Terminal.clean(parts.compactMap { $0 }.joined(separator: "  "))
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
