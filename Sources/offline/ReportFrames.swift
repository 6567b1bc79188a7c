// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The calls of a report, those of the system folded.
enum ReportFrames {
    static func lines(_ frames: [ReportRepresentation.Frame]) -> [String] {
        var lines: [String] = []
        var folded = 0
        for (number, frame) in frames.enumerated() {
            if frame.isSystem {
                folded += 1
                continue
            }
            lines += fold(&folded)
            lines.append(line(number, frame))
        }
        return lines + fold(&folded)
    }

    private static func fold(_ count: inout Int) -> [String] {
        defer { count = 0 }
        switch count {
        case 0: return []
        case 1: return ["       1 call of the system"]
        default: return ["       \(count) calls of the system"]
        }
    }

    private static func line(_ number: Int, _ frame: ReportRepresentation.Frame) -> String {
        let place = frame.file.map { [name($0), frame.line.map(String.init)] } ?? []
        let site = place.compactMap { $0 }.joined(separator: ":")
        var notes: [String] = []
        if frame.isInlined { notes.append("inlined") }
        if frame.isScanned { notes.append("may be of an earlier call") }
        let parts = [
            frame.function ?? frame.address,
            site.isEmpty ? frame.image.map { "in \(name($0))" } : "at \(site)",
            notes.isEmpty ? nil : "(\(notes.joined(separator: ", ")))",
        ]
        let digits = String(number)
        let margin = String(repeating: " ", count: max(0, 5 - digits.count))
        return ReportText.firstLine(
            margin + digits + "  " + parts.compactMap { $0 }.joined(separator: "  ")
        )
    }

    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
