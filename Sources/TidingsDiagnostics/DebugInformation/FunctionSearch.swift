// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Finds the functions of a unit that contain addresses, including inlined functions.
struct FunctionSearch {
    /// A function, and the place in the enclosing function from which it was inlined.
    struct Call {
        let entry: Int
        let file: UInt64
        let line: UInt64
    }

    private static let function: UInt16 = 0x2E
    private static let inlined: UInt16 = 0x1D

    private let values: DebugValues
    private let table: DebugAbbreviations
    private let addresses: AddressSet
    private var missing: Int
    /// The functions at each found address, outermost first, keyed by the index of the address.
    private(set) var calls: [Int: [Call]] = [:]

    /// Searches a unit until `count` addresses are found, the number that the unit claims.
    init(_ values: DebugValues, _ table: DebugAbbreviations, _ addresses: AddressSet, count: Int) {
        self.values = values
        self.table = table
        self.addresses = addresses
        missing = count
        search()
    }

    private mutating func search() {
        let unit = values.unit
        var cursor = DebugCursor(unit.sections.info, from: unit.firstEntry, to: unit.end)
        var depth = 0
        /// The depth of the function with sought addresses that contains the current entry.
        var found = Int.max
        while !cursor.isAtEnd {
            let position = cursor.position
            guard let kind = table[cursor.variable()] else {
                depth -= 1
                if depth <= 0 { return }
                if depth <= found {
                    found = .max
                    if missing == 0 { return }
                }
                continue
            }
            if kind.tag == Self.function {
                let entry = DebugEntry(&cursor, kind, table, unit.sizes)
                if begins(entry, at: position), found == .max { found = depth }
            } else if kind.tag == Self.inlined, found < depth {
                append(DebugEntry(&cursor, kind, table, unit.sizes), at: position)
            } else if let size = kind.size {
                cursor.skip(size)
            } else {
                for index in kind.attributes {
                    table.attributes[index].form.skip(&cursor, unit.sizes)
                }
            }
            if kind.hasChildren {
                depth += 1
            } else if found == depth {
                found = .max
            }
        }
    }

    /// Records a function and returns whether the function contains a sought address.
    private mutating func begins(_ entry: DebugEntry, at position: Int) -> Bool {
        var isFound = false
        values.forEachRange(entry) { range in
            for index in addresses.indices(in: range) {
                isFound = true
                let call = Call(entry: position, file: 0, line: 0)
                if calls.updateValue([call], forKey: index) == nil { missing -= 1 }
            }
        }
        return isFound
    }

    private mutating func append(_ entry: DebugEntry, at position: Int) {
        let call = Call(entry: position, file: entry.callFile, line: entry.callLine)
        values.forEachRange(entry) { range in
            for index in addresses.indices(in: range) { calls[index, default: []].append(call) }
        }
    }
}
#endif
