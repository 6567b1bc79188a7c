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
        /// Whether the source said what it has since the change was shown: nobody knows whether it
        /// had the change already.
        var isDoubtful = false
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

    /// Whether a change waits here.
    func contains(_ number: Int) -> Bool {
        entries.contains { $0.number == number }
    }

    /// Whether what is shown may lack a change or have it twice once this one is confirmed.
    func isDoubtful(_ number: Int) -> Bool {
        entries.contains { $0.number == number && $0.isDoubtful }
    }

    /// The same if the source answers it with what it has: the answer may be older than another
    /// change that is confirmed.
    func isDoubtfulIfAnswered(_ number: Int) -> Bool {
        isDoubtful(number) || entries.contains(where: \.isConfirmed)
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
        entries.removeAll { $0.number == number }
        load(base)
    }

    /// Takes what was loaded; what is not confirmed yet is made to it again.
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
