// SPDX-License-Identifier: Apache-2.0

/// A line of a source file, stored without building a string.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticText
    let line: UInt

    init(fileID: StaticString, line: UInt) {
        file = StaticText(fileID)
        self.line = line
    }

    init(file: StaticText, line: UInt) {
        self.file = file
        self.line = line
    }

    /// The location of an observation or post without a known line.
    static let unknown = SourceLocation(fileID: "unknown", line: 0)

    var description: String { file.text(before: ":\(line)") }
}
