// SPDX-License-Identifier: Apache-2.0

/// Receives the parts of an XML document in their order.
package protocol XMLHandler {
    /// Whether the handler uses text at the moment.
    var readsText: Bool { get }

    /// Called for a start tag.
    ///
    /// - Parameters:
    ///   - element: The name and the attributes, without children and text.
    ///   - space: The address of the namespace, or an empty string without a namespace.
    /// - Throws: `XMLError` to end the reading.
    mutating func start(_ element: XMLTree, in space: String) throws(XMLError)

    /// Called for a piece of the text in the innermost element.
    mutating func text(_ text: String) throws(XMLError)

    /// Called for the end of the innermost element.
    mutating func end() throws(XMLError)
}

/// Makes a tree of the parts.
struct XMLTreeBuilder: XMLHandler {
    private(set) var root: XMLTree?
    let readsText = true
    private let limits: XMLLimits
    /// The open elements, of which the last one is the innermost.
    private var open: [XMLTree] = []

    init(_ limits: XMLLimits) {
        self.limits = limits
    }

    mutating func start(_ element: XMLTree, in space: String) { open.append(element) }

    mutating func text(_ text: String) throws(XMLError) {
        guard let last = open.indices.last else { return }
        open[last].text += text
        guard open[last].text.utf8.count < limits.tokenBytes else {
            throw XMLScan.tooLarge("a text of more than \(limits.tokenBytes) bytes")
        }
    }

    mutating func end() {
        guard let done = open.popLast() else { return }
        if let parent = open.indices.last {
            open[parent].children.append(done)
        } else {
            root = done
        }
    }
}
