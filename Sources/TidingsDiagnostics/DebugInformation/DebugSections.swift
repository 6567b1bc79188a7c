// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The sections with the debug information of a file.
///
/// The file must stay mapped while the sections are used.
struct DebugSections {
    let info: UnsafeRawBufferPointer
    let abbreviations: UnsafeRawBufferPointer
    let lines: UnsafeRawBufferPointer
    /// The lists of ranges up to version 4, which later versions replace by `ranges`.
    let oldRanges: UnsafeRawBufferPointer
    let ranges: UnsafeRawBufferPointer
    let addresses: UnsafeRawBufferPointer
    let texts: UnsafeRawBufferPointer
    let lineTexts: UnsafeRawBufferPointer
    let textPlaces: UnsafeRawBufferPointer

    init(_ file: ProgramFile) {
        info = file[".debug_info"]
        abbreviations = file[".debug_abbrev"]
        lines = file[".debug_line"]
        oldRanges = file[".debug_ranges"]
        ranges = file[".debug_rnglists"]
        addresses = file[".debug_addr"]
        texts = file[".debug_str"]
        lineTexts = file[".debug_line_str"]
        textPlaces = file[".debug_str_offsets"]
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the string that starts at a place, or an empty string outside the bytes.
    func text(at place: UInt64) -> String {
        var cursor = DebugCursor(self, from: Int(clamping: place))
        return cursor.text()
    }

    /// Returns the element of a table of numbers, or zero outside the bytes.
    func number(at index: UInt64, ofSize size: Int, from base: UInt64) -> UInt64 {
        let (distance, isTooFar) = index.multipliedReportingOverflow(by: UInt64(size))
        let (place, isBeyond) = base.addingReportingOverflow(distance)
        guard !isTooFar, !isBeyond else { return 0 }
        var cursor = DebugCursor(self, from: Int(clamping: place))
        return cursor.number(ofSize: size)
    }
}
#endif
