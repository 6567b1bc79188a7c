// SPDX-License-Identifier: Apache-2.0
import COfflineXML
import Tidings

/// Reads XML documents with libxml2, whose pointers stay in this file.
///
/// The reader opens no other file or address, accepts only the five entities of the format, and
/// needs time and memory in proportion to the document.
package struct XMLReader: ~Copyable {
    private static let initialize: Void = offline_xml_prepare()

    private let reader: OpaquePointer
    private let limits: XMLLimits
    private var elements = 0
    private var depth = 0

    private init(_ reader: OpaquePointer, _ limits: XMLLimits) {
        self.reader = reader
        self.limits = limits
    }

    deinit { offline_xml_close(reader) }

    /// Parses a document to a tree.
    ///
    /// The method skips spaces and a byte order mark before the document.
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
        var builder = XMLTreeBuilder(limits)
        try read(bytes, limits: limits, into: &builder)
        guard let root = builder.root else { throw malformed(at: 1) }
        return root
    }

    /// Passes the parts of a document to a handler in order.
    ///
    /// - Parameters:
    ///   - bytes: The document, in UTF-8.
    ///   - limits: The largest document to accept.
    ///   - handler: The handler, which also receives the parts before an error.
    /// - Throws: The errors of `parse` and of the handler.
    package static func read(
        _ bytes: [UInt8],
        limits: XMLLimits = .init(),
        into handler: inout some XMLHandler
    ) throws(XMLError) {
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
        let result: Result<Void, XMLError> = content.withUnsafeBufferPointer { buffer in
            let reader = buffer.withMemoryRebound(to: CChar.self) { characters in
                offline_xml_open(characters.baseAddress, characters.count)
            }
            guard let reader else { return .failure(malformed(at: 1)) }
            var document = XMLReader(reader, limits)
            do throws(XMLError) {
                return .success(try document.read(into: &handler))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func read(into handler: inout some XMLHandler) throws(XMLError) {
        while true {
            switch offline_xml_next(reader) {
            case OFFLINE_XML_START:
                try start(&handler)
            case OFFLINE_XML_EMPTY:
                try start(&handler)
                try end(&handler)
            case OFFLINE_XML_END:
                try end(&handler)
            case OFFLINE_XML_TEXT:
                if depth > 0, handler.readsText {
                    try handler.text(Self.text(offline_xml_value(reader)))
                }
            case OFFLINE_XML_OTHER:
                break
            case OFFLINE_XML_DONE:
                if elements > 0, depth == 0 { return }
                throw Self.malformed(at: Int(offline_xml_line(reader)))
            default:
                throw Self.malformed(at: Int(offline_xml_line(reader)))
            }
        }
    }

    private mutating func start(_ handler: inout some XMLHandler) throws(XMLError) {
        elements += 1
        guard elements <= limits.elements else {
            throw XMLScan.tooLarge("more than \(limits.elements) elements")
        }
        guard depth < limits.depth else {
            throw XMLScan.tooLarge("more than \(limits.depth) elements within each other")
        }
        depth += 1
        let name = Self.text(offline_xml_local_name(reader))
        let space = Self.text(offline_xml_namespace(reader))
        var attributes: [XMLTree.Attribute] = []
        while offline_xml_next_attribute(reader) != 0 {
            attributes.append(
                XMLTree.Attribute(
                    name: Self.text(offline_xml_name(reader)),
                    value: Self.text(offline_xml_value(reader))
                )
            )
        }
        try handler.start(XMLTree(name, attributes), in: space)
    }

    private mutating func end(_ handler: inout some XMLHandler) throws(XMLError) {
        depth -= 1
        try handler.end()
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
