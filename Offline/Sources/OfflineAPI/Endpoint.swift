// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The place of an operation in the HTTP interface.
package struct Endpoint: Sendable {
    /// The method of the request.
    package let method: HTTPRequest.Method
    /// The paths of the requests.
    package let path: PathTemplate
    /// The status of a response without an error.
    let status: Int
    /// The statuses of the errors that only this operation can return.
    package let errors: [Int]
    /// Whether the response is a stream of events without an end.
    let isEndless: Bool

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        status: Int = 200,
        errors: [Int] = [],
        isEndless: Bool = false
    ) {
        self.method = method
        self.path = PathTemplate(path)
        self.status = status
        self.errors = errors
        self.isEndless = isEndless
    }

    /// The names of the methods that reach the operation.
    ///
    /// A response to HEAD is the response to GET without the body.
    package var methods: [String] {
        method == .get && !isEndless ? ["GET", "HEAD"] : [method.rawValue]
    }

    /// The method and the path, such as `POST /api/items/ID/pause`.
    package var name: String { "\(method.rawValue) \(path)" }
}

/// The paths of an endpoint, with places for values.
///
/// In `/api/items/{id}`, `{id}` is one part of the path. In `/lessons/{id*}/downloads`, `{id*}` is
/// one part or more.
package struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Part {
        case word(String)
        case value(String, isLong: Bool)
    }

    private let parts: [Part]

    /// Parses a template.
    package init(_ text: String) {
        parts = text.split(separator: "/").map { part in
            guard part.first == "{" else { return .word(String(part)) }
            let isLong = part.hasSuffix("*}")
            return .value(String(part.dropFirst().dropLast(isLong ? 2 : 1)), isLong: isLong)
        }
    }

    /// Returns the values in a decoded path, or nil if the path has another form.
    package func values(in path: [Substring]) -> [String]? {
        var values: [String] = []
        var rest = path[...]
        for (index, part) in parts.enumerated() {
            switch part {
            case .word(let word):
                guard rest.popFirst().map({ $0 == word }) == true else { return nil }
            case .value(_, isLong: false):
                guard let value = rest.popFirst() else { return nil }
                values.append(String(value))
            case .value(_, isLong: true):
                let count = rest.count - (parts.count - index - 1)
                guard count > 0 else { return nil }
                values.append(rest.prefix(count).joined(separator: "/"))
                rest = rest.dropFirst(count)
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// Returns the encoded path with these values.
    func path(with values: [String]) -> String {
        var rest = values[...]
        return text { _ in PercentEncoding.encode(rest.popFirst() ?? "") }
    }

    /// The path with names in capitals in place of values.
    package var description: String { text { $0.uppercased() } }

    private func text(_ value: (String) -> String) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .word(let word): text += "/" + word
            case .value(let name, _): text += "/" + value(name)
            }
        }
    }
}
