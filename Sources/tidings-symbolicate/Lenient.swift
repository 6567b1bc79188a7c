// SPDX-License-Identifier: Apache-2.0

/// A value that counts as missing if the type is unexpected.
@propertyWrapper
struct Lenient<Value: Decodable>: Decodable {
    let wrappedValue: Value?

    init(from decoder: any Decoder) {
        wrappedValue = try? Value(from: decoder)
    }

    fileprivate init(_ value: Value?) {
        wrappedValue = value
    }
}

extension KeyedDecodingContainer {
    /// Decodes a property that may be missing.
    ///
    /// The compiler prefers this method for lenient properties.
    func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) -> Lenient<Value> {
        Lenient((try? decodeIfPresent(Value.self, forKey: key)) ?? nil)
    }
}

/// The elements of the expected type in an array.
struct LenientList<Element: Decodable>: Decodable {
    let elements: [Element]

    init(from decoder: any Decoder) throws {
        elements = try [Lenient<Element>](from: decoder).compactMap(\.wrappedValue)
    }
}
