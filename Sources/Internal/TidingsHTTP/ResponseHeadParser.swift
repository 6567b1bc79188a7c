// SPDX-License-Identifier: Apache-2.0

/// Parses header lines into a response head, for any input.
struct ResponseHeadParser {
    private let address: WebAddress
    private let maximumBytes: Int
    private var bytes = 0
    private var status = 0
    private var isStatusLineNext = true
    private var headers = HTTPHeaders()
    private var isDone = false

    init(address: WebAddress, maximumBytes: Int) {
        self.address = address
        self.maximumBytes = maximumBytes
    }

    /// Parses one line, including the line break, and returns the head after the last line.
    ///
    /// Interim responses (1xx) are skipped. Trailers are ignored but count towards the limit.
    ///
    /// - Throws: `protocolViolation` for more than the maximum number of bytes, transfer codings
    ///   other than chunked, and an unrequested protocol change.
    mutating func parse(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPResponseHead? {
        bytes += line.count
        guard bytes <= maximumBytes else {
            throw violation("sent more than \(maximumBytes) bytes of headers")
        }
        if isDone { return nil }
        let text = Self.text(Self.withoutLineBreak(line))
        if isStatusLineNext {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            isStatusLineNext = false
            return nil
        }
        guard text.isEmpty else {
            try add(text)
            return nil
        }
        return try finished()
    }

    private mutating func finished() throws(HTTPError) -> HTTPResponseHead? {
        guard status != 101, (100..<600).contains(status) else {
            throw violation("sent an invalid status")
        }
        if status < 200 {
            isStatusLineNext = true
            headers = HTTPHeaders()
            return nil
        }
        let coding = headers.all("Transfer-Encoding").joined(separator: ",").lowercased()
        guard coding.isEmpty || coding == "chunked" else {
            throw violation("sent an unsupported transfer coding")
        }
        isDone = true
        return try HTTPResponseHead(status: status, headers: headers, address: address)
    }

    /// Adds a field, or appends a folded line to the previous field.
    ///
    /// Fields that delimit the body must be read exactly as libcurl reads the fields. These fields
    /// must not be folded, and a name with a trailing space is a different name.
    private mutating func add(_ text: String) throws(HTTPError) {
        if text.first == " " || text.first == "\t" {
            let name = headers.fields.last?.name.lowercased()
            guard name != "transfer-encoding", name != "content-length" else {
                throw violation("sent a folded header for the length of its body")
            }
            headers.extendLast(with: Self.trimmed(text[...]))
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[text.utf8.index(after: colon)...]
            headers.append(HTTPHeader(String(text[..<colon]), Self.trimmed(value)))
        }
    }

    private func violation(_ predicate: String) -> HTTPError {
        HTTPError(
            .protocolViolation,
            "\(address.redacted) \(predicate). The response was discarded."
        )
    }

    /// Returns the text of a line.
    ///
    /// Bytes that are not UTF-8 are read as Latin-1, which older servers send.
    private static func text(_ line: Slice<UnsafeRawBufferPointer>) -> String {
        String(validating: line, as: UTF8.self)
            ?? String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
    }

    private static func withoutLineBreak(
        _ line: UnsafeRawBufferPointer
    ) -> Slice<UnsafeRawBufferPointer> {
        var end = line.endIndex
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        return line[..<end]
    }

    private static func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
            let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
        else { return "" }
        return String(text[first...last])
    }
}
