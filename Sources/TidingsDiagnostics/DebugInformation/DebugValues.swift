// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Resolves the values of a unit's entries, which may refer to tables in other sections.
struct DebugValues {
    let unit: DebugUnit
    private let base: UInt64
    private let textBase: UInt64
    private let addressBase: UInt64
    private let rangeBase: UInt64

    init(_ unit: DebugUnit, root: DebugEntry) {
        self.unit = unit
        // A table starts behind the head.
        let size = UInt64(unit.sizes.offset)
        textBase = root.textBase ?? size + 4
        addressBase = root.addressBase ?? size + 4
        rangeBase = root.rangeBase ?? size + 8
        let low = root.low
        base =
            low.map { [sections = unit.sections, addressBase] in
                $0.form.isAddressIndex
                    ? sections.addresses.number(at: $0.number, ofSize: 8, from: addressBase)
                    : $0.number
            } ?? 0
    }

    func address(_ value: DebugEntry.Value) -> UInt64 {
        value.form.isAddressIndex ? address(at: value.number) : value.number
    }

    func text(_ value: DebugEntry.Value) -> String {
        let sections = unit.sections
        if value.form.isTextIndex {
            let size = unit.sizes.offset
            let place = sections.textPlaces.number(at: value.number, ofSize: size, from: textBase)
            return sections.texts.text(at: place)
        }
        switch value.form.code {
        case 0x08: return sections.info.text(at: value.number)
        case 0x0E: return sections.texts.text(at: value.number)
        case 0x1F: return sections.lineTexts.text(at: value.number)
        default: return ""
        }
    }

    /// Returns the position of an entry to which another entry refers.
    func position(_ value: DebugEntry.Value) -> Int {
        let position = Int(clamping: value.number)
        return value.form.isWithinUnit ? unit.start.addingClamped(position) : position
    }

    /// Calls `body` with the range of each piece of the entry's code.
    ///
    /// The linker leaves ranges at address 0 for code that it removed.
    @inline(__always)
    func forEachRange(_ entry: DebugEntry, _ body: (Range<UInt64>) -> Void) {
        if let ranges = entry.ranges {
            unit.sizes.version >= 5 ? newRanges(ranges, body) : oldRanges(ranges, body)
        } else if let low = entry.low, let high = entry.high {
            let start = address(low)
            let end = high.form.isAddress ? address(high) : start &+ high.number
            if start > 0, start < end { body(start..<end) }
        }
    }

    private func address(at index: UInt64) -> UInt64 {
        unit.sections.addresses.number(at: index, ofSize: 8, from: addressBase)
    }

    private func oldRanges(_ value: DebugEntry.Value, _ body: (Range<UInt64>) -> Void) {
        var cursor = DebugCursor(unit.sections.oldRanges, from: Int(clamping: value.number))
        var base = base
        while !cursor.isAtEnd {
            let start = cursor.number(UInt64.self)
            let end = cursor.number(UInt64.self)
            if start == 0, end == 0 { return }
            if start == .max {
                base = end
            } else {
                report(from: base &+ start, to: base &+ end, body)
            }
        }
    }

    private func newRanges(_ value: DebugEntry.Value, _ body: (Range<UInt64>) -> Void) {
        var place = value.number
        if value.form.code == 0x23 {
            let size = unit.sizes.offset
            place =
                unit.sections.ranges.number(at: place, ofSize: size, from: rangeBase) &+ rangeBase
        }
        var cursor = DebugCursor(unit.sections.ranges, from: Int(clamping: place))
        var base = base
        while !cursor.isAtEnd {
            switch cursor.number(UInt8.self) {
            case 1: base = address(at: cursor.variable())
            case 2:
                let start = address(at: cursor.variable())
                report(from: start, to: address(at: cursor.variable()), body)
            case 3:
                let start = address(at: cursor.variable())
                report(from: start, to: start &+ cursor.variable(), body)
            case 4:
                let start = base &+ cursor.variable()
                report(from: start, to: base &+ cursor.variable(), body)
            case 5: base = cursor.number(UInt64.self)
            case 6:
                let start = cursor.number(UInt64.self)
                report(from: start, to: cursor.number(UInt64.self), body)
            case 7:
                let start = cursor.number(UInt64.self)
                report(from: start, to: start &+ cursor.variable(), body)
            default: return
            }
        }
    }

    private func report(from start: UInt64, to end: UInt64, _ body: (Range<UInt64>) -> Void) {
        if start > 0, start < end { body(start..<end) }
    }
}

extension Int {
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
#endif
