// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge

/// The server's answer to a published frame, such as `{"stream":"shop","seq":7,"duplicate":true}`.
///
/// The text is read without a decoder, which would take longer than all other work on the answer.
struct AcknowledgementText {
    private(set) var sequence: UInt64?
    private(set) var isDuplicate = false
    private(set) var isError = false

    /// Reads the top level of a JSON object, or reads anything else without a sequence.
    init(_ bytes: UnsafeRawBufferPointer) {
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let text = Self.text(in: bytes, after: index)
                index = text.upperBound
                if depth == 1 { read(text, in: bytes) }
            default: break
            }
            index += 1
        }
    }

    /// Reads the value behind a name, which is followed by a colon in contrast to a string value.
    private mutating func read(_ name: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        var index = Self.skipSpaces(in: bytes, from: name.upperBound + 1)
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return }
        index = Self.skipSpaces(in: bytes, from: index + 1)
        let isNamed = { (expected: StaticString) in
            let wanted = UnsafeRawBufferPointer(
                start: expected.utf8Start,
                count: expected.utf8CodeUnitCount
            )
            return bytes[name].elementsEqual(wanted)
        }
        if isNamed("seq") {
            sequence = Self.number(in: bytes, from: index)
        } else if isNamed("duplicate") {
            isDuplicate = index < bytes.count && bytes[index] == UInt8(ascii: "t")
        } else if isNamed("error") {
            isError = true
        }
    }

    private static func text(in bytes: UnsafeRawBufferPointer, after quote: Int) -> Range<Int> {
        var index = quote + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return (quote + 1)..<max(quote + 1, min(index, bytes.count))
    }

    private static func skipSpaces(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] <= UInt8(ascii: " ") { index += 1 }
        return index
    }

    private static func number(in bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64? {
        var result: UInt64 = 0
        var index = start
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            let (product, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(digit))
            if isTooLarge || overflow { return nil }
            result = sum
            index += 1
        }
        return index > start ? result : nil
    }
}
#endif
