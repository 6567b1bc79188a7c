// SPDX-License-Identifier: Apache-2.0
import COfflineXML
import Tidings

/// Reads XML documents with libxml2, whose pointers stay in this file.
///
/// It opens no other file or address, knows only the five entities of the format, and needs time
/// and memory in proportion to the document.
package struct XMLReader: ~Copyable {
    private static let initialize: Void = offline_xml_prepare()

    private let reader: OpaquePointer
    private let limits: XMLLimits
    private var elements = 0
    /// The open elements, the innermost last.
    private var open: [XMLTree] = []

    private init(_ reader: OpaquePointer, _ limits: XMLLimits) {
        self.reader = reader
        self.limits = limits
    }

    deinit { offline_xml_close(reader) }

    /// Parses a document.
    ///
    /// Spaces and a byte order mark before it are skipped.
    ///
    /// - Parameters:
    ///   - bytes: The document, in UTF-8.
    ///   - limits: The largest document to accept.
    /// - Returns: The outermost element.
    /// - Throws: `XMLError` for every document that is not complete and well-formed.
    package static func parse(
        _ bytes: [UInt8],
        limits: XMLLimits = .init()
    ) throws(XMLError) -> XMLTree {
        guard bytes.count <= limits.bytes else {
            throw XMLError(.tooLarge, "The document is larger than \(limits.bytes) bytes.")
        }
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        let content = bytes[start...].drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
        guard !content.contains(0), String(validating: content, as: UTF8.self) != nil else {
            throw XMLError(
                .encoding,
                "The document is not text in UTF-8. Check the address, or contact its publisher."
            )
        }
        try XMLScan.check(content, limits: limits)
        _ = initialize
        // Libxml2 reads the buffer until the reader is freed, which happens in the closure.
        let result: Result<XMLTree, XMLError> = content.withUnsafeBufferPointer { buffer in
            let reader = buffer.withMemoryRebound(to: CChar.self) { characters in
                offline_xml_open(characters.baseAddress, characters.count)
            }
            guard let reader else { return .failure(malformed(at: 1)) }
            var document = XMLReader(reader, limits)
            do throws(XMLError) {
                return .success(try document.read())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func read() throws(XMLError) -> XMLTree {
        var root: XMLTree?
        while true {
            switch offline_xml_next(reader) {
            case OFFLINE_XML_START:
                open.append(try element())
            case OFFLINE_XML_EMPTY:
                open.append(try element())
                if let whole = end() { root = whole }
            case OFFLINE_XML_END:
                if let whole = end() { root = whole }
            case OFFLINE_XML_TEXT:
                try add(Self.text(offline_xml_value(reader)))
            case OFFLINE_XML_OTHER:
                break
            case OFFLINE_XML_DONE:
                if let root, open.isEmpty { return root }
                throw Self.malformed(at: Int(offline_xml_line(reader)))
            default:
                throw Self.malformed(at: Int(offline_xml_line(reader)))
            }
        }
    }

    private mutating func element() throws(XMLError) -> XMLTree {
        elements += 1
        guard elements <= limits.elements else {
            throw XMLScan.tooLarge("more than \(limits.elements) elements")
        }
        guard open.count < limits.depth else {
            throw XMLScan.tooLarge("more than \(limits.depth) elements within each other")
        }
        let name = Self.text(offline_xml_local_name(reader))
        var attributes: [XMLTree.Attribute] = []
        while offline_xml_next_attribute(reader) != 0 {
            attributes.append(
                XMLTree.Attribute(
                    name: Self.text(offline_xml_name(reader)),
                    value: Self.text(offline_xml_value(reader))
                )
            )
        }
        return XMLTree(name, attributes)
    }

    private mutating func add(_ text: String) throws(XMLError) {
        guard let last = open.indices.last else { return }
        open[last].text += text
        guard open[last].text.utf8.count < limits.tokenBytes else {
            throw XMLScan.tooLarge("a text of more than \(limits.tokenBytes) bytes")
        }
    }

    /// Ends the innermost element; returns it if it is the outermost one, too.
    private mutating func end() -> XMLTree? {
        guard let done = open.popLast() else { return nil }
        guard let parent = open.indices.last else { return done }
        open[parent].children.append(done)
        return nil
    }

    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
        characters.map { String(cString: $0) } ?? ""
    }

    private static func malformed(at line: Int) -> XMLError {
        XMLError(
            .malformed,
            "The document is damaged or incomplete at line \(line). Try again later, or contact "
                + "its publisher."
        )
    }
}
