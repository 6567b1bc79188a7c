// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The unwind tables of a file: the entries (`.eh_frame`) and an index (`.eh_frame_hdr`).
///
/// The file is untrusted. Damaged tables are refused, and nothing outside the tables is read. The
/// file must stay mapped while the table is used.
struct UnwindTable {
    /// The format of an index that can be searched: pairs of signed 32-bit numbers, relative to
    /// the start of the index.
    private static let searchable: UInt8 = 0x3B

    private let entries: UnwindSection
    private let index: UnwindSection

    init(_ file: ProgramFile) {
        entries = UnwindSection(file, ".eh_frame")
        index = UnwindSection(file, ".eh_frame_hdr")
    }

    /// Returns the rule at an address of the file, or nil if no entry contains the address.
    func rule(at address: UInt64) throws(UnwindFault) -> UnwindRule? {
        var head = DebugCursor(index.bytes)
        let version = head.number(UInt8.self)
        let place = head.number(UInt8.self)
        let count = head.number(UInt8.self)
        let table = head.number(UInt8.self)
        guard version == 1, table == Self.searchable, count & 0xF0 == 0 else {
            return try scan(for: address)?.rule(at: address)
        }
        _ = try index.pointer(&head, place)
        let pairs = try UnwindSection.number(&head, count)
        guard pairs <= UInt64(head.end - head.position) / 8 else { throw .malformed }
        guard let found = search(for: address, count: Int(pairs), from: head.position) else {
            return nil
        }
        let entry = try UnwindEntry(entries, at: found)
        return entry.range.contains(address) ? try entry.rule(at: address) : nil
    }

    /// Returns the place of the last entry that starts at or before an address.
    private func search(for address: UInt64, count: Int, from start: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if number(at: start + middle * 8) <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = number(at: start + (low - 1) * 8 + 4) &- entries.address
        return Int(exactly: entry) ?? .max
    }

    /// Returns an address of the index.
    private func number(at position: Int) -> UInt64 {
        var cursor = DebugCursor(index.bytes, from: position)
        let distance = Int64(cursor.number(Int32.self))
        return index.address &+ UInt64(bitPattern: distance)
    }

    /// Reads all entries, in a file without an index.
    private func scan(for address: UInt64) throws(UnwindFault) -> UnwindEntry? {
        var position = 0
        while position + 8 <= entries.bytes.count {
            var cursor = DebugCursor(entries.bytes, from: position)
            // A length of zero ends the table.
            guard cursor.number(UInt32.self) != 0 else { return nil }
            let body = try UnwindEntry.body(entries, at: position)
            if cursor.number(UInt32.self) != 0 {
                let entry = try UnwindEntry(entries, at: position)
                if entry.range.contains(address) { return entry }
            }
            position = body.end
        }
        return nil
    }
}
#endif
