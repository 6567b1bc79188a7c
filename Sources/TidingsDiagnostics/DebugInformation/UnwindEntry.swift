// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The unwind entry of a function (FDE).
struct UnwindEntry {
    /// The size from which entries are refused, because real entries have a few hundred bytes.
    private static let sizeLimit = 1 << 20

    /// The addresses of the function in the file.
    let range: Range<UInt64>
    private let common: UnwindCommon
    private let instructions: DebugCursor

    /// Reads the entry at a place in the section.
    init(_ section: UnwindSection, at place: Int) throws(UnwindFault) {
        var body = try Self.body(section, at: place)
        let start = body.position
        let distance = body.number(UInt32.self)
        // Zero marks a common part.
        guard distance != 0, Int(distance) <= start else { throw .malformed }
        common = try UnwindCommon(section, at: start - Int(distance))
        let first = try section.pointer(&body, common.encoding)
        let size = try UnwindSection.number(&body, common.encoding)
        let (end, isTooLarge) = first.addingReportingOverflow(size)
        if common.isAugmented { body.skip(body.variable()) }
        guard !isTooLarge, !body.isBeyondEnd else { throw .malformed }
        range = first..<end
        instructions = body
    }

    /// Returns the rule at an address of the function.
    func rule(at address: UInt64) throws(UnwindFault) -> UnwindRule {
        var program = UnwindProgram(common)
        try program.run(common.instructions)
        program.begin(at: range.lowerBound)
        try program.run(instructions, until: address)
        return try program.rule()
    }

    /// Returns the contents of the entry at a place, behind the length.
    static func body(_ section: UnwindSection, at place: Int) throws(UnwindFault) -> DebugCursor {
        var cursor = DebugCursor(section.bytes, from: place)
        let length = cursor.number(UInt32.self)
        let start = cursor.position
        guard length < sizeLimit, Int(length) <= section.bytes.count - start, length >= 4 else {
            throw .malformed
        }
        return DebugCursor(section.bytes, from: start, to: start + Int(length))
    }
}
#endif
