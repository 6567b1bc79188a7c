// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document with the whole content.
package struct XMLTree: Hashable, Sendable {
    /// An attribute of an element.
    package struct Attribute: Hashable, Sendable {
        /// The name, with the prefix as in the document.
        package let name: String
        /// The value, with all entities replaced.
        package let value: String
    }

    /// The name without a prefix.
    package let name: String
    /// The attributes in order.
    package let attributes: [Attribute]
    /// The elements inside this element, in order.
    package internal(set) var children: [XMLTree] = []
    /// The text between the tags of this element, without the text of the children.
    package internal(set) var text = ""

    init(_ name: String, _ attributes: [Attribute]) {
        self.name = name
        self.attributes = attributes
    }

    /// Returns the value of an attribute, or nil without such an attribute.
    package subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// Returns the first child with a name, or nil without such a child.
    package func child(_ name: String) -> XMLTree? {
        children.first { $0.name == name }
    }

    /// Returns the children with a name.
    package func children(_ name: String) -> [XMLTree] {
        children.filter { $0.name == name }
    }
}
