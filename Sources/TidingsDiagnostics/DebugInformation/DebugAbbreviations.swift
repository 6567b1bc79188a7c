// SPDX-License-Identifier: Apache-2.0

/// The kinds of a unit's entries, with tags and the forms of attributes.
struct DebugAbbreviations {
    struct Attribute {
        let name: UInt16
        let form: DebugForm
        /// The value of an attribute that all entries of the kind share.
        let constant: Int64
    }

    struct Kind {
        let tag: UInt16
        let hasChildren: Bool
        let attributes: Range<Int>
        /// The size of all attributes, or nil if the size varies.
        let size: UInt64?
    }

    /// The highest code of a kind, because a real table has only some hundreds of kinds.
    private static let limit: UInt64 = 1 << 16

    private(set) var attributes: [Attribute] = []
    private var kinds: [Kind?] = []

    /// Reads a table up to the kind with the code `last`, or the whole table.
    init(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        _ sizes: DebugSizes,
        upTo last: UInt64? = nil
    ) {
        var cursor = DebugCursor(bytes, from: offset)
        while true {
            let code = cursor.variable()
            guard code != 0, code <= Self.limit, !cursor.isAtEnd else { return }
            let tag = UInt16(truncatingIfNeeded: cursor.variable())
            let hasChildren = cursor.number(UInt8.self) != 0
            let start = attributes.count
            readAttributes(&cursor)
            let range = start..<attributes.count
            while kinds.count <= Int(code) { kinds.append(nil) }
            kinds[Int(code)] = Kind(
                tag: tag,
                hasChildren: hasChildren,
                attributes: range,
                size: fixedSize(of: range, sizes)
            )
            if code == last { return }
        }
    }

    /// Returns the kind of an entry, or nil for the end of a list of children.
    subscript(code: UInt64) -> Kind? {
        code < UInt64(kinds.count) ? kinds[Int(code)] : nil
    }

    /// Returns the size of some attributes, or nil if the size varies.
    private func fixedSize(of range: Range<Int>, _ sizes: DebugSizes) -> UInt64? {
        var sum: UInt64 = 0
        for attribute in attributes[range] {
            guard let size = attribute.form.fixedSize(sizes) else { return nil }
            sum += size
        }
        return sum
    }

    private mutating func readAttributes(_ cursor: inout DebugCursor) {
        while !cursor.isAtEnd {
            let name = cursor.variable()
            let form = DebugForm(code: cursor.variable())
            let constant = form == .implicitConstant ? cursor.signedVariable() : 0
            if name == 0, form.code == 0 { return }
            let short = UInt16(exactly: name) ?? 0
            attributes.append(Attribute(name: short, form: form, constant: constant))
        }
    }
}
