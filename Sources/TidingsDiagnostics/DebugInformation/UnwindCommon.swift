// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The part that the unwind entries of several functions share (CIE).
struct UnwindCommon {
    let codeUnit: UInt64
    let dataUnit: Int64
    let returnAddress: Int
    /// The encoding of the entries' pointers.
    let encoding: UInt8
    /// Whether an entry has a length before its own augmentation.
    let isAugmented: Bool
    /// The instructions with which every entry starts.
    let instructions: DebugCursor

    init(_ section: UnwindSection, at place: Int) throws(UnwindFault) {
        var body = try UnwindEntry.body(section, at: place)
        guard body.number(UInt32.self) == 0 else { throw .malformed }
        let version = body.number(UInt8.self)
        guard version == 1 || version == 3 else { throw .unsupported }
        let augmentation = body.text()
        codeUnit = body.variable()
        dataUnit = body.signedVariable()
        let register = version == 1 ? UInt64(body.number(UInt8.self)) : body.variable()
        returnAddress = Int(clamping: register)
        guard augmentation.isEmpty || augmentation.hasPrefix("z") else { throw .unsupported }
        isAugmented = !augmentation.isEmpty
        if isAugmented {
            let length = body.variable()
            encoding = try Self.encoding(augmentation.dropFirst(), body)
            body.skip(length)
        } else {
            encoding = 0
        }
        guard !body.isBeyondEnd else { throw .malformed }
        instructions = body
    }

    /// Returns the encoding of pointers, which the letters announce.
    private static func encoding(
        _ letters: Substring,
        _ body: DebugCursor
    ) throws(UnwindFault) -> UInt8 {
        var (body, encoding) = (body, UInt8(0))
        for letter in letters {
            switch letter {
            case "R": encoding = body.number(UInt8.self)
            case "L": body.skip(1)
            case "P":
                let own = body.number(UInt8.self)
                _ = try UnwindSection.number(&body, own)
            // These letters mark the frame of a signal, and signed or tagged addresses.
            case "S", "B", "G": continue
            default: throw .unsupported
            }
        }
        return encoding
    }
}
#endif
