// SPDX-License-Identifier: Apache-2.0

/// One request as a value, so that the guard and the router need no socket.
struct ServerRequest: Sendable, Equatable {
    /// A header or a query parameter.
    ///
    /// The names of headers are in lower case.
    struct Field: Sendable, Equatable {
        var name: String
        var value: String
    }

    var method: String
    /// The path, percent-decoded, without the query.
    var path: String
    var query: [Field]
    var headers: [Field]
    var body: [UInt8]

    init(
        _ method: String,
        _ path: String,
        query: [(String, String)] = [],
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query.map { Field(name: $0.0, value: $0.1) }
        self.headers = headers.map { Field(name: $0.0.lowercased(), value: $0.1) }
        self.body = body
    }

    /// Returns the header's value, or nil if the header is absent or occurs more than once.
    func header(_ name: String) -> String? {
        let values = self.headers(named: name)
        return values.count == 1 ? values[0] : nil
    }

    /// Returns all values of a header, in the order of the request.
    func headers(named name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    /// Returns the first value of a query parameter.
    func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Whether the method is GET or HEAD.
    var isRead: Bool { method == "GET" || method == "HEAD" }

    /// Whether the body is a file for the library.
    var isUpload: Bool { method == "POST" && path == "/api/uploads" }

    /// The content type in lower case, without parameters.
    var contentType: String? {
        guard let value = header("content-type") else { return nil }
        let type = value.prefix { $0 != ";" }
        return type.trimmingSpaces.lowercased()
    }
}

extension StringProtocol {
    /// The string without spaces and tabs at both ends.
    var trimmingSpaces: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var part = self[...]
        while let first = part.first, isBlank(first) { part = part.dropFirst() }
        while let last = part.last, isBlank(last) { part = part.dropLast() }
        return String(part)
    }
}
