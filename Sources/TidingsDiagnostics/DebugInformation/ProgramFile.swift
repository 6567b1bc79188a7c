// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The parts of a 64-bit little-endian ELF file that name its functions.
///
/// Compressed sections count as missing.
struct ProgramFile {
    private static let noBits: UInt32 = 8
    private static let compressed: UInt64 = 0x800

    private let file: MappedFile
    private var sections: [String: Range<Int>] = [:]
    private var addresses: [String: UInt64] = [:]
    /// The address at which the file expects the first byte, before the file is relocated.
    private(set) var start: UInt64 = 0

    init?(_ path: String) {
        guard let file = MappedFile(path) else { return nil }
        self.file = file
        var head = DebugCursor(file.bytes)
        guard head.number(UInt64.self) & 0xFFFF_FFFF_FFFF == 0x0102_464C_457F else { return nil }
        head.skip(24)
        let programs = head.number(UInt64.self)
        let sections = head.number(UInt64.self)
        head.skip(6)
        let programSize = head.number(UInt16.self)
        let programCount = head.number(UInt16.self)
        let sectionSize = head.number(UInt16.self)
        let sectionCount = head.number(UInt16.self)
        let names = head.number(UInt16.self)
        guard !head.isAtEnd else { return nil }
        start = Self.start(Table(file.bytes, programs, programSize, programCount))
        readSections(Table(file.bytes, sections, sectionSize, sectionCount), names: Int(names))
    }

    /// Returns the bytes of a section, or no bytes without a section of this name.
    subscript(name: String) -> UnsafeRawBufferPointer {
        guard let range = sections[name] else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(rebasing: file.bytes[range])
    }

    /// Returns the place of a section in the file, or nil without a section of this name.
    func range(of name: String) -> Range<Int>? { sections[name] }

    /// Returns the address at which the file expects a section, or zero for an unloaded section.
    func address(of name: String) -> UInt64 { addresses[name] ?? 0 }

    /// Keeps the file mapped while `body` reads its sections.
    func withSections<Result>(_ body: (ProgramFile) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(file) { try body(self) }
    }

    private static func start(_ table: Table) -> UInt64 {
        for index in 0..<table.count {
            var entry = table.entry(index)
            let kind = entry.number(UInt32.self)
            entry.skip(4)
            let offset = entry.number(UInt64.self)
            let address = entry.number(UInt64.self)
            // This is the first loaded segment.
            if kind == 1 { return address &- offset }
        }
        return 0
    }

    private mutating func readSections(_ table: Table, names: Int) {
        guard names < table.count, let texts = Section(table.entry(names)).range(in: file.bytes)
        else {
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[texts])
        for index in 0..<table.count {
            let section = Section(table.entry(index))
            guard section.kind != Self.noBits, section.flags & Self.compressed == 0,
                let range = section.range(in: file.bytes)
            else { continue }
            var text = DebugCursor(bytes, from: Int(section.name))
            let name = text.text()
            sections[name] = range
            addresses[name] = section.address
        }
    }

    private struct Table {
        let bytes: UnsafeRawBufferPointer
        let offset: Int
        let size: Int
        let count: Int

        init(_ bytes: UnsafeRawBufferPointer, _ offset: UInt64, _ size: UInt16, _ count: UInt16) {
            self.bytes = bytes
            self.offset = Int(exactly: offset) ?? bytes.count
            self.size = Int(size)
            self.count = size == 0 ? 0 : Int(count)
        }

        func entry(_ index: Int) -> DebugCursor {
            let (start, isTooFar) = offset.addingReportingOverflow(index * size)
            guard !isTooFar, start <= bytes.count - size else {
                return DebugCursor(bytes, from: -1)
            }
            return DebugCursor(bytes, from: start, to: start + size)
        }
    }

    private struct Section {
        let name: UInt32
        let kind: UInt32
        let flags: UInt64
        let address: UInt64
        private let offset: UInt64
        private let size: UInt64

        init(_ entry: DebugCursor) {
            var entry = entry
            name = entry.number(UInt32.self)
            kind = entry.number(UInt32.self)
            flags = entry.number(UInt64.self)
            address = entry.number(UInt64.self)
            offset = entry.number(UInt64.self)
            size = entry.number(UInt64.self)
        }

        func range(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
            let count = UInt64(bytes.count)
            guard offset <= count, size <= count - offset else { return nil }
            return Int(offset)..<Int(offset + size)
        }
    }
}
#endif
