// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Runs the instructions of an unwind entry up to an address.
struct UnwindProgram {
    private struct Row {
        /// The register of the frame's address, or nil for an expression.
        var base: Int?
        var offset: Int64 = 0
        /// The rules of the registers, with nil for an expression.
        var values: [Int: UnwindRule.Value?] = [:]
    }

    /// The maximum number of remembered rows, of which compilers use two at most.
    private static let depthLimit = 16
    /// The registers of the architecture that can lead to a caller.
    private static let registerLimit = 33

    private let common: UnwindCommon
    private var row = Row()
    private var first = Row()
    private var remembered: [Row] = []
    private var address: UInt64 = 0

    init(_ common: UnwindCommon) {
        self.common = common
    }

    /// Starts a function, after the instructions of the common part.
    mutating func begin(at address: UInt64) {
        self.address = address
        first = row
    }

    /// Returns the rule at the last address.
    func rule() throws(UnwindFault) -> UnwindRule {
        guard let base = row.base else { throw .unsupported }
        var rule = UnwindRule(
            base: base,
            offset: row.offset,
            returnAddress: common.returnAddress
        )
        for (register, value) in row.values {
            // Only the return address must be found. Other expressions are lost values.
            guard value != nil || register != common.returnAddress else { throw .unsupported }
            rule.values[register] = value ?? .lost
        }
        return rule
    }

    /// Runs instructions as long as they apply to `limit`.
    mutating func run(_ instructions: DebugCursor, until limit: UInt64 = .max) throws(UnwindFault) {
        var cursor = instructions
        while !cursor.isAtEnd {
            let code = cursor.number(UInt8.self)
            let operand = code & 0x3F
            switch code >> 6 {
            case 1: advance(by: UInt64(operand))
            case 2: set(UInt64(operand), .saved(units(cursor.variable())))
            case 3: restore(UInt64(operand))
            default: try run(operand, &cursor)
            }
            guard !cursor.isBeyondEnd else { throw .malformed }
            if address > limit { return }
        }
    }

    private mutating func run(_ code: UInt8, _ cursor: inout DebugCursor) throws(UnwindFault) {
        switch code {
        // No operation, the signature of return addresses, and a count of arguments.
        case 0x00, 0x2D: break
        case 0x2E: _ = cursor.variable()
        case 0x02: advance(by: UInt64(cursor.number(UInt8.self)))
        case 0x03: advance(by: UInt64(cursor.number(UInt16.self)))
        case 0x04: advance(by: UInt64(cursor.number(UInt32.self)))
        case 0x0A:
            guard remembered.count < Self.depthLimit else { throw .malformed }
            remembered.append(row)
        case 0x0B:
            guard let last = remembered.popLast() else { throw .malformed }
            row = last
        case 0x0C...0x0F, 0x12, 0x13: runFrame(code, &cursor)
        case 0x05...0x09, 0x10, 0x11, 0x14...0x16, 0x2F: runRegister(code, &cursor)
        default: throw .unsupported
        }
    }

    /// Runs an instruction about the address of the frame.
    private mutating func runFrame(_ code: UInt8, _ cursor: inout DebugCursor) {
        switch code {
        case 0x0C:
            row.base = Int(clamping: cursor.variable())
            row.offset = Int64(clamping: cursor.variable())
        case 0x0D: row.base = Int(clamping: cursor.variable())
        case 0x0E: row.offset = Int64(clamping: cursor.variable())
        case 0x0F:
            row.base = nil
            cursor.skip(cursor.variable())
        case 0x12:
            row.base = Int(clamping: cursor.variable())
            row.offset = cursor.signedVariable() &* common.dataUnit
        default: row.offset = cursor.signedVariable() &* common.dataUnit
        }
    }

    /// Runs an instruction about a register.
    private mutating func runRegister(_ code: UInt8, _ cursor: inout DebugCursor) {
        let register = cursor.variable()
        switch code {
        case 0x05: set(register, .saved(units(cursor.variable())))
        case 0x06: restore(register)
        case 0x07: set(register, .lost)
        case 0x08: set(register, .register(Int(clamping: register)))
        case 0x09: set(register, .register(Int(clamping: cursor.variable())))
        case 0x11: set(register, .saved(cursor.signedVariable() &* common.dataUnit))
        case 0x2F: set(register, .saved(0 &- units(cursor.variable())))
        // The distance from the frame is the value itself, not the place of the value.
        case 0x14, 0x15:
            _ = cursor.variable()
            set(register, nil)
        default:
            cursor.skip(cursor.variable())
            set(register, nil)
        }
    }

    private func units(_ count: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: count) &* common.dataUnit
    }

    private mutating func advance(by count: UInt64) {
        address = address &+ count &* common.codeUnit
    }

    private mutating func set(_ register: UInt64, _ value: UnwindRule.Value?) {
        guard register < Self.registerLimit else { return }
        row.values.updateValue(value, forKey: Int(register))
    }

    private mutating func restore(_ register: UInt64) {
        guard register < Self.registerLimit else { return }
        row.values[Int(register)] = first.values[Int(register)]
    }
}
#endif
