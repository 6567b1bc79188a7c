// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The targets that all threads are reading now.
///
/// A thread records a target before reading it. A thread that frees an object first hides the
/// object from new readers, then registers an action here. The action runs when every reader that
/// may have found the object has left. Readers never wait, and no two readers write to the same
/// memory.
enum Readers {
    private struct Registry {
        var records: ContiguousArray<ReaderRecord> = []
        var free: [ReaderRecord] = []
    }

    private static let registry = Lock(Registry())

    /// Returns a record for a new thread.
    static func makeRecord() -> ReaderRecord {
        registry.withLock { registry in
            if let record = registry.free.popLast() { return record }
            let record = ReaderRecord()
            registry.records.append(record)
            return record
        }
    }

    /// Takes back the record of an ending thread.
    static func recycle(_ record: ReaderRecord) {
        registry.withLock { $0.free.append(record) }
    }

    /// Whether no thread is reading `target`.
    static func haveLeft(_ target: UInt) -> Bool {
        !registry.withLock { $0.records }.contains { $0.isReading(target) }
    }

    /// Calls `action` once every thread that is reading `target` now has left.
    ///
    /// - Parameters:
    ///   - target: The address of a channel, or 0 for everything.
    ///   - action: Called here if no thread is reading the target, otherwise by the last reader
    ///     that leaves. Called without a lock.
    static func afterLeaving(_ target: UInt, _ action: @escaping @Sendable () -> Void) {
        let ticket = ReaderTicket(action)
        for record in registry.withLock({ $0.records }) where record.isReading(target) {
            record.delay(ticket, whileReading: target)
        }
        ticket.arrive()
    }
}

/// An action to run when the last of several readers has left.
final class ReaderTicket: Sendable {
    /// The number of holders, including the creator.
    private let holders = Atomic(1)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Returns the ticket, for one more reader.
    func holding() -> ReaderTicket {
        holders.wrappingAdd(1, ordering: .relaxed)
        return self
    }

    func arrive() {
        let (_, left) = holders.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        if left == 0 { action() }
    }
}
