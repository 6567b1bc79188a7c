// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The debug information of one compiled file or module.
struct DebugUnit {
    let sections: DebugSections
    let sizes: DebugSizes
    let start: Int
    let end: Int
    /// The position of the first entry.
    let firstEntry: Int
    let abbreviations: Int
    private let isOfCode: Bool

    /// Reads the head of the unit at a position.
    ///
    /// The initializer returns nil at the end of the section or if the rest is malformed.
    init?(_ sections: DebugSections, at start: Int) {
        var cursor = DebugCursor(sections.info, from: start)
        guard let length = cursor.unitLength() else { return nil }
        self.sections = sections
        self.start = start
        end = cursor.position + length.count
        let version = cursor.number(UInt16.self)
        let kind: UInt8
        let address: UInt8
        if version >= 5 {
            kind = cursor.number(UInt8.self)
            address = cursor.number(UInt8.self)
            abbreviations = Int(clamping: cursor.number(ofSize: length.size))
        } else {
            kind = 1
            abbreviations = Int(clamping: cursor.number(ofSize: length.size))
            address = cursor.number(UInt8.self)
        }
        sizes = DebugSizes(version: version, address: 8, offset: length.size)
        firstEntry = cursor.position
        // Other kinds describe types, or refer to another file.
        isOfCode = (2...5).contains(version) && (kind == 1 || kind == 3) && address == 8
    }

    func readAbbreviations(upTo last: UInt64? = nil) -> DebugAbbreviations {
        DebugAbbreviations(sections.abbreviations, at: abbreviations, sizes, upTo: last)
    }

    /// Returns the entry at a position.
    func entry(at position: Int, _ table: DebugAbbreviations) -> DebugEntry? {
        var cursor = DebugCursor(sections.info, from: position, to: end)
        guard let kind = table[cursor.variable()] else { return nil }
        return DebugEntry(&cursor, kind, table, sizes)
    }

    /// Returns the first entry, which describes the whole unit, or nil without functions.
    func root() -> DebugEntry? {
        guard isOfCode else { return nil }
        var cursor = DebugCursor(sections.info, from: firstEntry, to: end)
        return entry(at: firstEntry, readAbbreviations(upTo: cursor.variable()))
    }
}

extension DebugCursor {
    /// Returns the number of bytes after the length, and the size of places in other sections.
    mutating func unitLength() -> (count: Int, size: Int)? {
        let short = number(UInt32.self)
        let isLong = short == .max
        let length = isLong ? number(UInt64.self) : UInt64(short)
        guard length > 0, length <= UInt64(end - position), isLong || short < 0xFFFF_FFF0 else {
            return nil
        }
        return (Int(length), isLong ? 8 : 4)
    }
}
#endif
