// SPDX-License-Identifier: Apache-2.0

/// Objects in the order in which they were appended, each at most once.
///
/// Each call costs the same for every number of objects.
struct EntryQueue<Entry: AnyObject & Sendable>: Sendable {
    private struct Node: Sendable {
        let entry: Entry
        var before: ObjectIdentifier?
        var after: ObjectIdentifier?
    }

    private var nodes: [ObjectIdentifier: Node] = [:]
    private var head: ObjectIdentifier?
    private var tail: ObjectIdentifier?

    var count: Int { nodes.count }

    /// The object that was appended first.
    var first: Entry? { head.flatMap { nodes[$0]?.entry } }

    func contains(_ entry: Entry) -> Bool { nodes[ObjectIdentifier(entry)] != nil }

    /// Appends an object, or moves the object to the end.
    mutating func append(_ entry: Entry) {
        remove(entry)
        let id = ObjectIdentifier(entry)
        nodes[id] = Node(entry: entry, before: tail)
        if let tail { nodes[tail]?.after = id } else { head = id }
        tail = id
    }

    /// Removes an object, if present.
    mutating func remove(_ entry: Entry) {
        guard let node = nodes.removeValue(forKey: ObjectIdentifier(entry)) else { return }
        if let before = node.before { nodes[before]?.after = node.after } else { head = node.after }
        if let after = node.after { nodes[after]?.before = node.before } else { tail = node.before }
    }
}
