// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// The cues of a file or a segment of subtitles in WebVTT, or of a file in SubRip.
///
/// The parser accepts everything that players accept. The parser drops styles, regions and notes,
/// because these parts hold no text and a server could hide other data there.
package struct WebVTTDocument: Hashable, Sendable {
    /// The relation of the times to the times of the pictures, or nil if the file states none.
    package private(set) var map: TimestampMap?
    /// The cues in the order of the file.
    package private(set) var cues: [SubtitleCue] = []
    /// The number of cues that could not be read.
    private(set) var unreadable = 0

    /// The number of lines without an empty line after which the parser reads the cues so far.
    private static let blockLines = 1_000

    /// Parses a file.
    ///
    /// An empty file has no cues.
    ///
    /// - Throws: `.notMedia` for other content, and `.tooLarge`.
    package init(
        _ bytes: [UInt8],
        format: SubtitleFile.Format = .webVTT,
        limits: SubtitleLimits = .init()
    ) throws(MediaError) {
        let text = Self.text(bytes)
        var lines = Lines(text)
        if format == .webVTT, try !Self.skipHeader(&lines, text) { return }
        var block: [Substring] = []
        while let line = lines.next() {
            if line.isEmpty {
                try add(block, limits)
                block = []
            } else if line.hasPrefix("X-TIMESTAMP-MAP=") {
                map = TimestampMap(line.dropFirst(16)) ?? map
            } else {
                if block.count >= Self.blockLines, Self.isTiming(line) {
                    try add(block, limits)
                    block = []
                }
                // A cue with more lines is longer than the limit in any case.
                if block.count < limits.cueBytes + Self.blockLines { block.append(line) }
            }
        }
        try add(block, limits)
        guard format == .subRip else { return }
        guard !cues.isEmpty || text.allSatisfy(\.isWhitespace) else {
            throw MediaError(.notMedia, "The subtitles are not in the format SubRip.")
        }
        for index in cues.indices {
            // Some programs write the place in braces.
            cues[index].text.replace(/\{\\[^}\n]{0,40}\}/, with: "")
        }
        cues.removeAll { $0.text.allSatisfy(\.isWhitespace) }
    }

    /// Returns whether there are lines after the header.
    private static func skipHeader(
        _ lines: inout Lines,
        _ text: String
    ) throws(MediaError) -> Bool {
        guard let first = lines.next() else { return false }
        if isHeader(first) { return true }
        if text.allSatisfy(\.isWhitespace) { return false }
        throw MediaError(.notMedia, "The subtitles are not in the format WebVTT.")
    }

    /// Decodes bytes as UTF-8, as UTF-16 with a byte order mark, or else as Latin-1.
    private static func text(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            return String(bytes: bytes, encoding: .utf16) ?? ""
        }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        return String(validating: bytes, as: UTF8.self)
            ?? String(bytes: bytes, encoding: .isoLatin1) ?? ""
    }

    private static func isHeader(_ line: Substring) -> Bool {
        let rest = line.dropFirst(6)
        return line.hasPrefix("WEBVTT") && (rest.isEmpty || rest.first?.isWhitespace == true)
    }

    /// Adds the cues of lines between two empty lines.
    ///
    /// A new time starts a new cue.
    private mutating func add(_ block: [Substring], _ limits: SubtitleLimits) throws(MediaError) {
        guard let first = block.first, !Self.isHeader(first) else { return }
        for name in ["NOTE", "STYLE", "REGION"] where first.hasPrefix(name) {
            let rest = first.dropFirst(name.count)
            if rest.isEmpty || rest.first?.isWhitespace == true { return }
        }
        var rest = block[...]
        // A name before the time is not text.
        if rest.count > 1, !Self.isTiming(rest[0]), Self.isTiming(rest[1]) { rest.removeFirst() }
        guard let timing = rest.first, Self.isTiming(timing) else {
            unreadable += 1
            return
        }
        while let timing = rest.popFirst() {
            let lines = rest.prefix { !Self.isTiming($0) }
            rest = rest.dropFirst(lines.count)
            try add(timing, lines, limits: limits)
        }
    }

    private mutating func add(
        _ timing: Substring,
        _ lines: ArraySlice<Substring>,
        limits: SubtitleLimits
    ) throws(MediaError) {
        let text = lines.map(WebVTTText.line).filter { !$0.isEmpty }.joined(separator: "\n")
        guard !text.isEmpty else { return }
        guard let (start, end, settings) = Self.timing(timing), start < end,
            text.utf8.count <= limits.cueBytes
        else {
            unreadable += 1
            return
        }
        guard cues.count < limits.cues else {
            throw MediaError(
                .tooLarge,
                "The subtitles have more than \(limits.cues) texts, the limit."
            )
        }
        cues.append(SubtitleCue(start: start, end: end, settings: settings, text: text))
    }

    /// Returns whether a line has an arrow.
    ///
    /// The method compares bytes because the parser checks every line.
    private static func isTiming(_ line: Substring) -> Bool {
        var dashes = 0
        for byte in line.utf8 {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }

    private static func timing(_ line: Substring) -> (Double, Double, String)? {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        let after = line[arrow.upperBound...].trimmingSpaces
        let end = after.prefix { $0 != " " && $0 != "\t" }
        guard let first = WebVTTTime.seconds(line[..<arrow.lowerBound].trimmingSpaces),
            let last = WebVTTTime.seconds(end)
        else { return nil }
        return (first, last, WebVTTText.settings(after[end.endIndex...]))
    }

    /// The lines of a text, which end with a line feed, a carriage return, or both together.
    private struct Lines {
        private var rest: Substring.UTF8View.SubSequence
        private var isAtEnd: Bool

        init(_ text: String) {
            rest = text[...].utf8[...]
            isAtEnd = text.isEmpty
        }

        mutating func next() -> Substring? {
            guard !isAtEnd else { return nil }
            let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
            let line = rest.prefix { $0 != lineFeed && $0 != carriageReturn }
            rest = rest[line.endIndex...]
            isAtEnd = rest.isEmpty
            if rest.popFirst() == carriageReturn, rest.first == lineFeed { rest = rest.dropFirst() }
            return Substring(line).trimmingSpaces
        }
    }
}
