// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The line table of a unit, which maps addresses to lines.
struct LineProgram {
    struct Place {
        let file: UInt64
        let line: UInt64
    }

    private struct Head {
        var instructionSize: UInt64 = 1
        var lineBase: Int64 = 0
        var lineRange: UInt64 = 1
        var specialStart: UInt8 = 13
        var operandCounts: [UInt8] = []
    }

    /// The registers of the program.
    private struct Row {
        var address: UInt64 = 0
        var file: UInt64 = 1
        var line: UInt64 = 1
    }

    let files: LineFiles
    private var head = Head()
    private var cursor: DebugCursor
    private var row = Row()
    private var last: Row?

    /// Reads the head of a table, or returns nil if the head is malformed.
    init?(_ values: DebugValues, at place: UInt64) {
        let bytes = values.unit.sections.lines
        var cursor = DebugCursor(bytes, from: Int(clamping: place))
        guard let length = cursor.unitLength() else { return nil }
        let end = cursor.position + length.count
        let version = cursor.number(UInt16.self)
        guard (2...5).contains(version) else { return nil }
        if version >= 5 { cursor.skip(2) }
        let headLength = cursor.number(ofSize: length.size)
        guard headLength <= UInt64(max(0, end - cursor.position)) else { return nil }
        let start = cursor.position + Int(headLength)
        head.instructionSize = UInt64(cursor.number(UInt8.self))
        if version >= 4 { cursor.skip(1) }
        cursor.skip(1)
        head.lineBase = Int64(cursor.number(Int8.self))
        head.lineRange = UInt64(cursor.number(UInt8.self))
        head.specialStart = cursor.number(UInt8.self)
        guard head.lineRange > 0, head.specialStart > 0 else { return nil }
        head.operandCounts = (1..<head.specialStart).map { _ in cursor.number(UInt8.self) }
        let sizes = DebugSizes(version: version, address: 8, offset: length.size)
        files = LineFiles(&cursor, sizes)
        self.cursor = DebugCursor(bytes, from: start, to: end)
    }

    /// Returns the file and line at each address in the table, keyed by the index of the address.
    mutating func places(of addresses: AddressSet) -> [Int: Place] {
        var places: [Int: Place] = [:]
        while !cursor.isAtEnd {
            let code = cursor.number(UInt8.self)
            if code >= head.specialStart {
                let step = UInt64(code - head.specialStart)
                advance(step / head.lineRange)
                moveLine(head.lineBase + Int64(step % head.lineRange))
                emit(addresses, &places)
            } else if code == 0 {
                extended(addresses, &places)
            } else {
                standard(code, addresses, into: &places)
            }
        }
        return places
    }

    private mutating func advance(_ count: UInt64) {
        row.address &+= count &* head.instructionSize
    }

    private mutating func moveLine(_ distance: Int64) {
        row.line &+= UInt64(bitPattern: distance)
    }

    /// Ends the previous row at the address of the current row.
    private mutating func emit(_ addresses: AddressSet, _ places: inout [Int: Place]) {
        // The linker leaves address 0 for code that it removed.
        if let last, last.address < row.address, last.address > 0 {
            for index in addresses.indices(in: last.address..<row.address)
            where places[index] == nil {
                places[index] = Place(file: last.file, line: last.line)
            }
        }
        last = row
    }

    private mutating func standard(
        _ code: UInt8,
        _ addresses: AddressSet,
        into places: inout [Int: Place]
    ) {
        switch code {
        case 1: emit(addresses, &places)
        case 2: advance(cursor.variable())
        case 3: moveLine(cursor.signedVariable())
        case 4: row.file = cursor.variable()
        case 8: advance(UInt64(255 - head.specialStart) / head.lineRange)
        case 9: row.address &+= UInt64(cursor.number(UInt16.self))
        default:
            for _ in 0..<head.operandCounts[Int(code) - 1] { _ = cursor.variable() }
        }
    }

    private mutating func extended(_ addresses: AddressSet, _ places: inout [Int: Place]) {
        let length = cursor.variable()
        let start = cursor.position
        switch cursor.number(UInt8.self) {
        case 1:
            emit(addresses, &places)
            (row, last) = (Row(), nil)
        case 2: row.address = cursor.number(UInt64.self)
        default: break
        }
        let read = UInt64(cursor.position - start)
        if length > read { cursor.skip(length - read) }
    }
}
#endif
