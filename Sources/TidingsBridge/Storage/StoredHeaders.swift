// SPDX-License-Identifier: Apache-2.0

extension FrameHeaders {
    /// The headers as lines, for a column of the storage.
    var lines: String {
        var lines = ""
        lines.reserveCapacity(256)
        for field in fields {
            lines += field.name
            lines += ": "
            lines += field.value
            lines += "\n"
        }
        return lines
    }

    /// Reads headers from lines.
    init(lines: String) {
        self.init()
        // The loop reads single bytes, because this code runs for each message that is sent.
        var lines = lines
        lines.withUTF8 { bytes in
            var (start, colon) = (0, -1)
            for (index, byte) in bytes.enumerated() {
                if byte == UInt8(ascii: ":"), colon < 0 {
                    colon = index
                } else if byte == UInt8(ascii: "\n") {
                    if colon >= 0 {
                        append(
                            String(decoding: bytes[start..<colon], as: UTF8.self),
                            String(decoding: bytes[min(colon + 2, index)..<index], as: UTF8.self)
                        )
                    }
                    (start, colon) = (index + 1, -1)
                }
            }
        }
    }

    /// Returns the headers without bytes that would end a line.
    var withoutLineBreaks: FrameHeaders {
        let isClean = fields.allSatisfy { !Self.hasBreak($0.name) && !Self.hasBreak($0.value) }
        if isClean { return self }
        var headers = FrameHeaders()
        for field in fields {
            headers.append(Self.oneLine(field.name), Self.oneLine(field.value))
        }
        return headers
    }

    private static func hasBreak(_ text: String) -> Bool {
        text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
    }

    private static func oneLine(_ text: String) -> String {
        guard hasBreak(text) else { return text }
        return String(decoding: text.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 }, as: UTF8.self)
    }
}
