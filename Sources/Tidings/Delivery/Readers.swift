// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Who reads what now, on all threads.
///
/// A thread says what it reads before it looks at it. Whoever takes something away hides it from
/// new readers first and then asks here to be told when those have left who may have found it.
/// Readers never wait, and two of them never write to the same memory.
enum Readers {
    private struct Registry {
        var records: ContiguousArray<ReaderRecord> = []
        var free: [ReaderRecord] = []
    }

    private static let registry = Lock(Registry())

    /// A record for a thread that begins.
    static func makeRecord() -> ReaderRecord {
        registry.withLock { registry in
            if let record = registry.free.popLast() { return record }
            let record = ReaderRecord()
            registry.records.append(record)
            return record
        }
    }

    /// Takes the record of a thread that ends.
    static func recycle(_ record: ReaderRecord) {
        registry.withLock { $0.free.append(record) }
    }

    /// Whether nobody reads `target`.
    static func haveLeft(_ target: UInt) -> Bool {
        !registry.withLock { $0.records }.contains { $0.isReading(target) }
    }

    /// Calls `action` once everybody has left who reads `target` now.
    ///
    /// - Parameters:
    ///   - target: The address of a channel; 0 for everything.
    ///   - action: Called here if nobody reads it, else by the last one to leave. Without a lock.
    static func afterLeaving(_ target: UInt, _ action: @escaping @Sendable () -> Void) {
        let ticket = ReaderTicket(action)
        for record in registry.withLock({ $0.records }) where record.isReading(target) {
            record.delay(ticket, whileReading: target)
        }
        ticket.arrive()
    }
}

/// Something to do when the last of several readers has left.
final class ReaderTicket: Sendable {
    /// How many hold it, who made it among them.
    private let holders = Atomic(1)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// The ticket, for one more reader.
    func holding() -> ReaderTicket {
        holders.wrappingAdd(1, ordering: .relaxed)
        return self
    }

    func arrive() {
        let (_, left) = holders.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        if left == 0 { action() }
    }
}
