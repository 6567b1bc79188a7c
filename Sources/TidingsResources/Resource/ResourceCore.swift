// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The state of a resource under the resource's lock.
///
/// Code that needs both locks takes the lock of the publisher first.
struct ResourceCore<Value: Sendable>: Sendable {
    var machine = LoadMachine()
    /// The callers that wait for the load, by number.
    var waiters: [Int: Answer<Value>] = [:]
    var lastWaiter = 0
    /// The task that runs the load with that number.
    var task: (number: Int, task: Task<Void, Never>)?
    var writes: PendingWrites<Value>?
    var lastWrite = 0
    var lastVersion = 0
    /// Whether the stored copy was read since the data was last dropped.
    var hasReadStore = false

    /// Returns the pending writes, unless the data was changed directly on the publisher.
    func writes(in memory: StateMemory<Value>) -> PendingWrites<Value>? {
        writes.flatMap { $0.edits == memory.edits ? $0 : nil }
    }

    /// Stores the shown list, and returns the old list, which must be released outside the lock.
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

    /// Removes and returns the waiters of a load, to be resumed outside the lock.
    mutating func takeWaiters(of load: LoadMachine.Load) -> [Answer<Value>] {
        load.waiters.sorted().compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Removes and returns the task of a load, to be cancelled outside the lock.
    mutating func takeTask(of load: LoadMachine.Load) -> Task<Void, Never>? {
        task?.number == load.number ? task.take()?.task : nil
    }
}

/// Writes that are pending at the source, and the condition under which they are still valid.
struct PendingWrites<Value: Sendable>: Sendable {
    var list: OptimisticWrites<Value>
    /// The publisher's count of data changes at the time when the list was last shown.
    ///
    /// If that count has grown since, the data was changed directly on the publisher, and the list
    /// is invalid.
    var edits: Int
    /// The number of the list, unique among all lists of the resource.
    var version: Int
}
