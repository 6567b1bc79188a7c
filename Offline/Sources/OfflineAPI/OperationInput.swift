// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The parts of a request that carry the input of an operation.
package struct RequestParts: Sendable {
    /// The decoded values in the path.
    package var values: [String] = []
    /// The parameters of the query by name.
    package var query: [String: String] = [:]
    /// The body.
    package var body: [UInt8] = []

    /// Creates the parts of a request.
    package init(values: [String] = [], query: [String: String] = [:], body: [UInt8] = []) {
        self.values = values
        self.query = query
        self.body = body
    }

    /// Returns the number of a query parameter.
    ///
    /// - Throws: `APIError` with `.badRequest` if the number is out of range.
    func number(
        _ name: String,
        from minimum: Int,
        through maximum: Int,
        otherwise defaultValue: Int
    ) throws(APIError) -> Int {
        guard let text = query[name] else { return defaultValue }
        guard let value = Int(text), (minimum...maximum).contains(value) else {
            let limit = maximum == .max ? "" : " to \(maximum)"
            throw APIError(
                .badRequest,
                "“\(name)” is out of range. Use a number from \(minimum)\(limit)."
            )
        }
        return value
    }
}

/// The input of an operation, which a request carries in the path, the query or the body.
package protocol OperationInput: Sendable {
    /// Reads the input from a request.
    ///
    /// - Throws: An error whose response is 400 or 404.
    init(_ parts: RequestParts) throws

    /// Returns the parts of a request with the input.
    func parts() throws -> RequestParts

    /// The type of the JSON object in the body, or nil without such a body.
    static var body: (any Decodable.Type)? { get }
}

extension OperationInput {
    /// No JSON object.
    package static var body: (any Decodable.Type)? { nil }
}

/// An input that is the parameters of the query.
package struct QueryInput: OperationInput {
    let values: [String: String]

    /// Creates an input with these parameters.
    package init(_ values: [String: String]) { self.values = values }

    /// Takes the parameters from a request.
    package init(_ parts: RequestParts) { values = parts.query }

    /// Returns the parameters.
    package func parts() -> RequestParts { RequestParts(query: values) }

    subscript(name: String) -> String? { values[name] }
}

/// An input or an output without content.
package struct NoContent: OperationInput, Codable {
    /// Creates the only value.
    package init() {}

    /// Ignores all parts.
    package init(_ parts: RequestParts) {}

    /// Returns no parts.
    package func parts() -> RequestParts { RequestParts() }
}

/// An input that is the JSON object in the body.
package protocol JSONInput: OperationInput, Codable {}

extension JSONInput {
    /// Decodes the body.
    package init(_ parts: RequestParts) throws {
        self = try JSONCoding.decode(Self.self, from: parts.body)
    }

    /// Encodes the body.
    package func parts() throws -> RequestParts {
        RequestParts(body: Array(try JSONFormat.encode(self)))
    }

    /// The type itself.
    package static var body: (any Decodable.Type)? { Self.self }
}

/// An input that is a value in the path.
package protocol PathInput: OperationInput {
    /// Reads the value, and throws an error whose response is 404.
    init(pathValue text: String) throws
    /// The value for the path.
    var pathValue: String { get }
}

extension PathInput {
    /// Reads the only value of the path.
    package init(_ parts: RequestParts) throws {
        try self.init(pathValue: parts.values.first ?? "")
    }

    /// Returns the value of the path.
    package func parts() -> RequestParts { RequestParts(values: [pathValue]) }
}

/// An input with a value in the path, and a body.
package struct Addressed<Target: PathInput, Body: OperationInput>: OperationInput {
    /// The type of the body's object.
    package static var body: (any Decodable.Type)? { Body.body }

    let target: Target
    let body: Body

    /// Creates an input.
    package init(_ target: Target, _ body: Body) {
        self.target = target
        self.body = body
    }

    /// Reads the body, and then the value in the path.
    package init(_ parts: RequestParts) throws {
        body = try Body(parts)
        target = try Target(parts)
    }

    /// Returns the body and the value of the path.
    package func parts() throws -> RequestParts {
        var parts = try body.parts()
        parts.values = [target.pathValue]
        return parts
    }
}

/// Two values whose members are in one JSON object.
package struct Merged<First: Codable & Sendable, Second: Codable & Sendable>: JSONInput {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Decodes both values from the same object.
    package init(from decoder: any Decoder) throws {
        first = try First(from: decoder)
        second = try Second(from: decoder)
    }

    /// Encodes the members of both values into the same object.
    package func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }
}
