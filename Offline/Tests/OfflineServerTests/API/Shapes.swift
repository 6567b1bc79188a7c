// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The form of a JSON value in the words of TypeScript, found by decoding the Swift type.
///
/// The decoder supplies a value for each member that the type asks for, and notes the name and the
/// form of the member, and whether the member may be absent.
final class Shapes {
    /// The declarations of objects by name.
    private(set) var objects: [String: String] = [:]
    /// Strings of which each type that checks strings accepts one.
    private static let samples = [
        "a", "1", "before", "http://192.0.2.1:8420", "info", "running", "failed", "counter",
    ]
    private let given: [ObjectIdentifier: String]
    private var known: [ObjectIdentifier: (shape: String, value: Any)] = [:]

    /// Creates shapes with the forms of types that read their members in a way of their own.
    init(_ given: [(type: Any.Type, shape: String)]) {
        self.given = given.reduce(into: [:]) { $0[ObjectIdentifier($1.type)] = $1.shape }
    }

    /// Returns the form of a type.
    ///
    /// - Throws: The last error of the type if no supplied string satisfies the type.
    func shape<Value>(of type: Value.Type) throws -> String {
        guard let decodable = type as? any Decodable.Type else { return "unknown" }
        return try described(decodable).shape
    }

    /// Returns the form of a type, and a value.
    func described<Value: Decodable>(
        _ type: Value.Type
    ) throws -> (shape: String, value: Value) {
        if let found = known[ObjectIdentifier(type)], let value = found.value as? Value {
            return (found.shape, value)
        }
        let result = try described(new: type)
        known[ObjectIdentifier(type)] = result
        return result
    }

    private func described<Value: Decodable>(
        new type: Value.Type
    ) throws -> (shape: String, value: Value) {
        if let date = Date() as? Value { return ("string", date) }
        if let url = URL(filePath: "/") as? Value { return ("string", url) }
        if let words = type as? any (CaseIterable & RawRepresentable<String>).Type,
            let (shape, first) = union(of: words) as? (String, Value)
        {
            return (shape, first)
        }
        if let list = type as? any Filled.Type, let empty = list.empty as? Value {
            return (list.shape(of: try shape(of: list.valueType)), empty)
        }
        var failure: (any Error)?
        for sample in Self.samples {
            let decoder = ShapeDecoder(shapes: self, sample: sample)
            do {
                let value = try Value(from: decoder)
                return (given[ObjectIdentifier(type)] ?? name(decoder.shape, of: type), value)
            } catch {
                failure = error
            }
        }
        throw failure ?? CocoaError(.coderInvalidValue)
    }

    private func union<Words: CaseIterable & RawRepresentable<String>>(
        of type: Words.Type
    ) -> (String, Any)? {
        guard let first = type.allCases.first else { return nil }
        return (type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " | "), first)
    }

    /// Declares an object under the name of the type, and returns other forms as they are.
    ///
    /// Two merged values have the name of the first.
    private func name(_ shape: String, of type: Any.Type) -> String {
        guard shape.hasPrefix("{ ") else { return shape }
        let words = String(reflecting: type)
            .replacing(#/\(unknown context at [^)]*\)\.|\(extension in [^)]*\):/#, with: "")
            .replacing(#/(?:Offline|Tidings)[A-Za-z]*\./#, with: "")
        let first = words.firstMatch(of: #/(?:Merged<)*([^,>]*)/#).map { String($0.1) } ?? words
        let name = first.replacing(".", with: "")
        objects[name] = shape
        return name
    }
}

/// A collection, for which the decoder supplies an empty one.
private protocol Filled {
    static var empty: Any { get }
    static var valueType: Any.Type { get }
    static func shape(of value: String) -> String
}

extension Array: Filled {
    fileprivate static var empty: Any { Self() }
    fileprivate static var valueType: Any.Type { Element.self }
    fileprivate static func shape(of value: String) -> String { "Array<\(value)>" }
}

/// JSON writes a dictionary as an object if its keys are strings.
extension Dictionary: Filled where Key == String {
    fileprivate static var empty: Any { Self() }
    fileprivate static var valueType: Any.Type { Value.self }
    fileprivate static func shape(of value: String) -> String { "Record<string, \(value)>" }
}
