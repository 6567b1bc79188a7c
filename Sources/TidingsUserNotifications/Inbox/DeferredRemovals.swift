// SPDX-License-Identifier: Apache-2.0

/// Identifiers to remove from a record that is not loaded yet.
struct DeferredRemovals: Sendable {
    /// The identifiers, or nil for all.
    private(set) var identifiers: Set<String>? = []

    var isEmpty: Bool { identifiers?.isEmpty ?? false }

    /// Adds identifiers, where nil means all.
    mutating func add(_ added: Set<String>?) {
        if let added { identifiers?.formUnion(added) } else { identifiers = nil }
    }

    /// Keeps one identifier, unless all are removed.
    mutating func remove(_ identifier: String) { identifiers?.remove(identifier) }

    func contains(_ identifier: String) -> Bool { identifiers?.contains(identifier) ?? true }

    /// Returns the known identifiers that have to be removed.
    func matching(_ known: Set<String>) -> Set<String> {
        identifiers?.intersection(known) ?? known
    }
}
