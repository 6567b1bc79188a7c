// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document with all that it contains.
package struct XMLTree: Hashable, Sendable {
    /// An attribute of an element.
    package struct Attribute: Hashable, Sendable {
        /// The name, with its prefix as the document writes it.
        package let name: String
        /// The value, with its entities replaced.
        package let value: String
    }

    /// The name without a prefix.
    package let name: String
    /// The attributes in order.
    package let attributes: [Attribute]
    /// The elements in it, in order.
    package internal(set) var children: [XMLTree] = []
    /// The text between its own tags, without that of its children.
    package internal(set) var text = ""

    init(_ name: String, _ attributes: [Attribute]) {
        self.name = name
        self.attributes = attributes
    }

    /// Returns the value of an attribute; nil without it.
    package subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// Returns the first child with a name; nil without one.
    package func child(_ name: String) -> XMLTree? {
        children.first { $0.name == name }
    }

    /// Returns the children with a name.
    package func children(_ name: String) -> [XMLTree] {
        children.filter { $0.name == name }
    }
}
