// SPDX-License-Identifier: Apache-2.0

/// What a resource guards with its lock.
///
/// Where both are needed, the lock of the publisher is taken first.
struct ResourceCore<Value: Sendable>: Sendable {
    var machine = LoadMachine()
    /// Those who wait for the load, by number.
    var waiters: [Int: Answer<Value>] = [:]
    var lastWaiter = 0
    /// What runs the load of that number.
    var task: (number: Int, task: Task<Void, Never>)?
    var writes: PendingWrites<Value>?
    var lastWrite = 0
    var lastVersion = 0
    /// Whether the stored copy was asked for since the data was last dropped.
    var hasReadStore = false

    /// The writes that wait, unless somebody wrote past the resource.
    func writes(in memory: StateMemory<Value>) -> PendingWrites<Value>? {
        writes.flatMap { $0.edits == memory.edits ? $0 : nil }
    }

    /// Keeps a list that is shown now; returns the one before, to be released outside the lock.
    mutating func keep(
        _ list: OptimisticWrites<Value>?,
        in memory: StateMemory<Value>
    ) -> PendingWrites<Value>? {
        lastVersion += 1
        let before = writes
        writes = list.flatMap { list in
            list.isEmpty
                ? nil : PendingWrites(list: list, edits: memory.edits, version: lastVersion)
        }
        return before
    }

    /// Takes those who waited for a load out, to be told outside the lock.
    mutating func takeWaiters(of load: LoadMachine.Load) -> [Answer<Value>] {
        load.waiters.sorted().compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Takes out what runs a load, to be cancelled outside the lock.
    mutating func takeTask(of load: LoadMachine.Load) -> Task<Void, Never>? {
        task?.number == load.number ? task.take()?.task : nil
    }
}

/// Writes that wait for the source, and what must be true for them to be all there is.
struct PendingWrites<Value: Sendable>: Sendable {
    var list: OptimisticWrites<Value>
    /// How often the publisher's data had changed when the list was shown last: if it has since,
    /// somebody wrote past the resource, and the list is worth nothing.
    var edits: Int
    /// Unlike that of any other list before or after it.
    var version: Int
}
