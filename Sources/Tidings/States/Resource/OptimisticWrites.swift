// SPDX-License-Identifier: Apache-2.0

/// Changes that are shown before the source has confirmed them, as a value.
///
/// What is shown is the data that the source is known to have, with every change made to it in
/// order. A change that is taken back is left out, and the others are made again.
struct OptimisticWrites<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let number: Int
        let change: @Sendable (inout Value) -> Void
        var isConfirmed = false
    }

    /// What the source is known to have.
    private(set) var base: Value
    private var entries: [Entry] = []

    init(base: Value) {
        self.base = base
    }

    /// Whether every change was confirmed or taken back.
    var isEmpty: Bool { entries.isEmpty }

    /// What is to be shown.
    ///
    /// Calls the user's code, as the changes below do: never under a lock.
    var shown: Value {
        var shown = base
        for entry in entries { entry.change(&shown) }
        return shown
    }

    mutating func add(_ number: Int, _ change: @escaping @Sendable (inout Value) -> Void) {
        entries.append(Entry(number: number, change: change))
    }

    /// Takes a change back.
    mutating func remove(_ number: Int) {
        entries.removeAll { $0.number == number }
        foldConfirmed()
    }

    /// Makes a change part of what the source has, once those before it are.
    mutating func confirm(_ number: Int) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries[index].isConfirmed = true
        foldConfirmed()
    }

    /// Takes what the source says it has after a change.
    mutating func confirm(_ number: Int, answered base: Value) {
        entries.removeAll { $0.number == number || $0.isConfirmed }
        self.base = base
    }

    /// Takes what was loaded; what is not confirmed yet is made to it again.
    mutating func load(_ base: Value) {
        self.base = base
        entries.removeAll(where: \.isConfirmed)
    }

    private mutating func foldConfirmed() {
        while let first = entries.first, first.isConfirmed {
            first.change(&base)
            entries.removeFirst()
        }
    }
}
