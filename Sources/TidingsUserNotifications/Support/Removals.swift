// SPDX-License-Identifier: Apache-2.0

/// What is to be removed, by its identifiers, from something that is not known yet.
struct Removals {
    /// Nil for everything.
    private(set) var identifiers: Set<String>? = []

    var isEmpty: Bool { identifiers?.isEmpty ?? false }

    /// Adds some; nil for everything.
    mutating func add(_ added: Set<String>?) {
        if let added { identifiers?.formUnion(added) } else { identifiers = nil }
    }

    /// Returns which of what is known is meant.
    func among(_ known: Set<String>) -> Set<String> {
        identifiers?.intersection(known) ?? known
    }
}
