// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsSentry

extension JSONValue {
    /// The member of an object with a name.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value in a list at an index.
    subscript(index: Int) -> JSONValue? {
        guard case .list(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }

    /// The names of an object's members.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    var string: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var values: [JSONValue] {
        guard case .list(let values) = self else { return [] }
        return values
    }

    /// Parses the written JSON with Foundation.
    func read() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }
}
