// SPDX-License-Identifier: Apache-2.0

/// The attributes of an entry that concern functions and their places.
struct DebugEntry {
    struct Value {
        let form: DebugForm
        let number: UInt64
    }

    private(set) var name: Value?
    private(set) var linkageName: Value?
    /// The entry with the name of the function, if this entry is a copy.
    private(set) var origin: Value?
    private(set) var low: Value?
    private(set) var high: Value?
    private(set) var ranges: Value?
    private(set) var callFile: UInt64 = 0
    private(set) var callLine: UInt64 = 0
    // Only the first entry of a unit has the following attributes.
    private(set) var lines: Value?
    private(set) var folder: Value?
    private(set) var textBase: UInt64?
    private(set) var addressBase: UInt64?
    private(set) var rangeBase: UInt64?

    /// Reads all attributes of an entry and leaves the cursor behind the last attribute.
    init(
        _ cursor: inout DebugCursor,
        _ kind: DebugAbbreviations.Kind,
        _ table: DebugAbbreviations,
        _ sizes: DebugSizes
    ) {
        for index in kind.attributes {
            let attribute = table.attributes[index]
            let isConstant = attribute.form == .implicitConstant
            let number =
                isConstant
                ? UInt64(bitPattern: attribute.constant) : attribute.form.value(&cursor, sizes)
            set(attribute.name, Value(form: attribute.form, number: number))
        }
    }

    /// Sets an attribute by the standard's number.
    private mutating func set(_ attribute: UInt16, _ value: Value) {
        switch attribute {
        case 0x03: name = value
        case 0x10: lines = value
        case 0x11: low = value
        case 0x12: high = value
        case 0x1B: folder = value
        case 0x31, 0x47: origin = value
        case 0x55: ranges = value
        case 0x58: callFile = value.number
        case 0x59: callLine = value.number
        case 0x6E, 0x2007: linkageName = value
        case 0x72: textBase = value.number
        case 0x73, 0x2133: addressBase = value.number
        case 0x74: rangeBase = value.number
        default: break
        }
    }
}
