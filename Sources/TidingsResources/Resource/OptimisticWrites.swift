// SPDX-License-Identifier: Apache-2.0

/// Changes that are shown before the source has confirmed them, as a value.
///
/// The shown data is the data that the source is known to have, with every change applied in order.
/// After a rollback, the remaining changes are applied again without that change.
struct OptimisticWrites<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let number: Int
        let change: @Sendable (inout Value) -> Void
        var isConfirmed = false
        /// Whether the source returned data since the change was shown.
        ///
        /// Such data may or may not include the change.
        var isDoubtful = false
    }

    /// The data that the source is known to have.
    private(set) var base: Value
    private var entries: [Entry] = []

    init(base: Value) {
        self.base = base
    }

    /// Whether every change was confirmed or rolled back.
    var isEmpty: Bool { entries.isEmpty }

    /// The data to show.
    ///
    /// The property calls the user's code, as do the changes below, so never call any of these
    /// under a lock.
    var shown: Value {
        var shown = base
        for entry in entries { entry.change(&shown) }
        return shown
    }

    /// Whether a change is pending.
    func contains(_ number: Int) -> Bool {
        entries.contains { $0.number == number }
    }

    /// Whether the shown data may lack this change, or contain this change twice after the
    /// confirmation.
    func isDoubtful(_ number: Int) -> Bool {
        entries.contains { $0.number == number && $0.isDoubtful }
    }

    mutating func add(_ number: Int, _ change: @escaping @Sendable (inout Value) -> Void) {
        entries.append(Entry(number: number, change: change))
    }

    /// Rolls a change back.
    mutating func remove(_ number: Int) {
        entries.removeAll { $0.number == number }
        foldConfirmed()
    }

    /// Marks a change as confirmed, and adds the change to the base once all earlier changes are
    /// confirmed.
    mutating func confirm(_ number: Int) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries[index].isConfirmed = true
        foldConfirmed()
    }

    /// Replaces the base with loaded data, to which the unconfirmed changes apply again.
    mutating func load(_ base: Value) {
        self.base = base
        entries.removeAll(where: \.isConfirmed)
        for index in entries.indices { entries[index].isDoubtful = true }
    }

    private mutating func foldConfirmed() {
        while let first = entries.first, first.isConfirmed {
            first.change(&base)
            entries.removeFirst()
        }
    }
}
