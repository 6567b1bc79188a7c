// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A chapter of a film or recording, up to the start of the next chapter.
package struct Chapter: Hashable, Sendable, Codable {
    /// The largest number of chapters to keep.
    package static let limit = 1_000
    /// The latest start in seconds, about a month.
    private static let latestStart = 3e6

    /// The start in seconds.
    package var start: Double
    /// The title: one line of limited length without control characters.
    package var title: String

    /// Returns chapters in the order of their starts, within the limits.
    ///
    /// The method keeps the first of several chapters with the same start in milliseconds. A
    /// chapter without a title gets a number.
    ///
    /// - Parameters:
    ///   - found: The starts in seconds and the titles, which may come from a server.
    ///   - end: The duration, or nil if the duration is unknown. Chapters that start at this time
    ///     or later are dropped.
    /// - Returns: The chapters.
    package static func list(
        _ found: some Sequence<(start: Double, title: String)>,
        before end: Double? = nil
    ) -> [Chapter] {
        let limit = min(end ?? .infinity, latestStart)
        let valid = found.lazy.filter { $0.start >= 0 && $0.start < limit }
        var starts: Set<Int> = []
        let kept = valid.filter { starts.insert(milliseconds($0.start)).inserted }
            .prefix(Self.limit)
        return kept.sorted { $0.start < $1.start }.enumerated().map { number, chapter in
            Chapter(
                start: Double(milliseconds(chapter.start)) / 1_000,
                title: Title(line: chapter.title, fallback: "Chapter \(number + 1)").text
            )
        }
    }

    /// The start in whole milliseconds.
    var milliseconds: Int { Self.milliseconds(start) }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }
}

extension [Chapter] {
    /// Returns the file from which ffmpeg reads the chapters, with every special character escaped.
    ///
    /// The first chapter of an MP4 file starts with the film, so the file contains another chapter
    /// before a first chapter that starts later.
    ///
    /// - Parameter duration: The duration of the film in seconds, or nil if the duration is
    ///   unknown.
    /// - Returns: The bytes of the file.
    package func metadata(duration: Double?) -> Data {
        var text = ";FFMETADATA1\n"
        let isLate = first.map { $0.milliseconds > 0 } ?? false
        let all = (isLate ? [Chapter(start: 0, title: "Beginning")] : []) + self
        let last = Int(Swift.min(duration ?? 0, 1e9) * 1_000)
        for (chapter, end) in zip(all, all.dropFirst().map(\.milliseconds) + [last]) {
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(chapter.milliseconds)\n"
            text += "END=\(Swift.max(end, chapter.milliseconds + 1))\n"
            text += "title=\(Self.escaped(chapter.title))\n"
        }
        return Data(text.utf8)
    }

    private static func escaped(_ title: String) -> String {
        var result = ""
        for scalar in Title(line: title, fallback: "Chapter").text.unicodeScalars {
            if "=;#\\\n".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        // ffmpeg treats a line end after a backslash as a part of the value, even if the backslash
        // is escaped.
        return result.hasSuffix("\\") ? result + " " : result
    }
}
