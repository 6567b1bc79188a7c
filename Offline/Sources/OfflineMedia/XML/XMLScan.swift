// SPDX-License-Identifier: Apache-2.0
import TidingsErrors

/// Checks the size of each part of a document before a parser reads the document.
///
/// The scan divides a well-formed document in the same way as every parser. A parser stops at the
/// first error, and so never reads beyond a place where the divisions differ.
struct XMLScan {
    private let bytes: ArraySlice<UInt8>
    private let limits: XMLLimits

    private init(_ bytes: ArraySlice<UInt8>, _ limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Checks all limits except the limits on the depth and on the number of elements.
    ///
    /// - Throws: `.declarations` or `.tooLarge`.
    static func check(_ bytes: ArraySlice<UInt8>, limits: XMLLimits) throws(XMLError) {
        let scan = XMLScan(bytes, limits)
        var position = bytes.startIndex
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            try scan.requireSize(start - position)
            position = try scan.end(ofMarkupAt: start)
        }
        try scan.requireSize(bytes.endIndex - position)
    }

    private func end(ofMarkupAt start: Int) throws(XMLError) -> Int {
        if begins("<!--", at: start) { return try end("-->", after: start + 4) }
        if begins("<![CDATA[", at: start) { return try end("]]>", after: start + 9) }
        if begins("<?", at: start) { return try end("?>", after: start + 2) }
        guard !begins("<!", at: start) else {
            throw XMLError(
                .declarations,
                "The document declares its own types or entities, which this program does not "
                    + "read. Contact its publisher."
            )
        }
        return try endOfTag(at: start)
    }

    private func endOfTag(at start: Int) throws(XMLError) -> Int {
        var quote: UInt8?
        var attributes = 0
        for index in start..<min(bytes.endIndex, start + limits.tokenBytes) {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "="): attributes += 1
            case UInt8(ascii: ">"): return index + 1
            default: break
            }
            guard attributes <= limits.attributes else {
                throw Self.tooLarge("an element with more than \(limits.attributes) attributes")
            }
        }
        try requireSize(bytes.endIndex - start)
        return bytes.endIndex
    }

    private func end(_ mark: StaticString, after start: Int) throws(XMLError) -> Int {
        var index = start
        let last = mark.utf8Start[mark.utf8CodeUnitCount - 1]
        while let found = bytes[min(index, bytes.endIndex)...].firstIndex(of: last) {
            try requireSize(found - start)
            index = found + 1
            if begins(mark, at: index - mark.utf8CodeUnitCount),
                index - mark.utf8CodeUnitCount >= start
            {
                return index
            }
        }
        try requireSize(bytes.endIndex - start)
        return bytes.endIndex
    }

    private func begins(_ mark: StaticString, at index: Int) -> Bool {
        index >= bytes.startIndex
            && mark.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private func requireSize(_ size: Int) throws(XMLError) {
        guard size < limits.tokenBytes else {
            throw Self.tooLarge("a text or a tag of more than \(limits.tokenBytes) bytes")
        }
    }

    static func tooLarge(_ what: String) -> XMLError {
        XMLError(.tooLarge, "The document has \(what), the limit. Contact its publisher.")
    }
}
