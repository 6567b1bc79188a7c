// SPDX-License-Identifier: Apache-2.0
import COfflineXML
import Tidings

/// Reads XML documents with libxml2, whose pointers stay in this file.
///
/// It opens no other file or address, knows only the five entities of the format, and needs time
/// and memory in proportion to the document.
package struct XMLReader: ~Copyable {
    private static let initialize: Void = xmlInitParser()

    private let reader: xmlTextReaderPtr
    private let limits: XMLLimits
    private var elements = 0
    /// The open elements, the innermost last.
    private var open: [XMLTree] = []

    private init(_ reader: xmlTextReaderPtr, _ limits: XMLLimits) {
        self.reader = reader
        self.limits = limits
    }

    deinit { xmlFreeTextReader(reader) }

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
            // The scan read the bytes as UTF-8, so the parser must not read them in another way.
            // The scan read the bytes as UTF-8, so the parser must not read them in another way.
            let options = [
                XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NOCDATA,
                XML_PARSE_IGNORE_ENC,
            ].reduce(0) { $0 | $1.rawValue }
            let reader = buffer.withMemoryRebound(to: CChar.self) { characters in
                xmlReaderForMemory(
                    characters.baseAddress,
                    Int32(characters.count),
                    nil,
                    "UTF-8",
                    Int32(options)
                )
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
            let status = xmlTextReaderRead(reader)
            if status == 0, let root, open.isEmpty { return root }
            guard status == 1 else {
                throw Self.malformed(at: Int(xmlTextReaderGetParserLineNumber(reader)))
            }
            switch xmlReaderTypes(UInt32(bitPattern: xmlTextReaderNodeType(reader))) {
            case XML_READER_TYPE_ELEMENT:
                let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
                open.append(try element())
                if isEmpty, let whole = end() { root = whole }
            case XML_READER_TYPE_END_ELEMENT:
                if let whole = end() { root = whole }
            case XML_READER_TYPE_TEXT, XML_READER_TYPE_CDATA:
                try add(Self.text(xmlTextReaderConstValue(reader)))
            case XML_READER_TYPE_ENTITY_REFERENCE, XML_READER_TYPE_DOCUMENT_TYPE:
                throw Self.malformed(at: Int(xmlTextReaderGetParserLineNumber(reader)))
            default:
                break
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
        let name = Self.text(xmlTextReaderConstLocalName(reader))
        var attributes: [XMLTree.Attribute] = []
        while xmlTextReaderMoveToNextAttribute(reader) == 1 {
            attributes.append(
                XMLTree.Attribute(
                    name: Self.text(xmlTextReaderConstName(reader)),
                    value: Self.text(xmlTextReaderConstValue(reader))
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

    private static func text(_ characters: UnsafePointer<xmlChar>?) -> String {
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
