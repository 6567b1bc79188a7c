// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The targets that one thread is reading, visible to every thread.
///
/// The record has one word for each level of nesting, and the words share no cache line with other
/// data. A word holds the address of the target, or 0 between readings. The lowest bit is set once
/// a ticket waits for the end of the reading.
///
/// Unchecked: the pointer is constant, and the atomics are never freed.
@safe final class ReaderRecord: @unchecked Sendable {
    static var levels: Int { 8 }
    static var everything: UInt { .max - 1 }
    private static var waitedFor: UInt { 1 }

    // The memory is initialised here, and used again by another thread when the first thread has
    // ended.
    private let words: UnsafeMutablePointer<Atomic<UInt>>
    private let tickets = Lock([[ReaderTicket]](repeating: [], count: ReaderRecord.levels))

    init() {
        let size = Self.levels * MemoryLayout<Atomic<UInt>>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * size, alignment: 128)
        unsafe words = memory.bindMemory(to: Atomic<UInt>.self, capacity: Self.levels)
        for level in 0..<Self.levels { unsafe (words + level).initialize(to: Atomic(0)) }
    }

    @inline(__always)
    func begin(_ target: UInt, at level: Int) {
        unsafe words[level].store(target, ordering: .sequentiallyConsistent)
    }

    /// Ends a reading.
    ///
    /// Returns true if tickets wait for the end and the caller must call `settle`.
    @inline(__always)
    func end(at level: Int) -> Bool {
        unsafe words[level].exchange(0, ordering: .sequentiallyConsistent) & Self.waitedFor != 0
    }

    /// Returns whether a reading of `target` is in progress, where 0 stands for any target.
    func isReading(_ target: UInt) -> Bool {
        (0..<Self.levels).contains { level in
            Self.matches(unsafe words[level].load(ordering: .sequentiallyConsistent), target)
        }
    }

    /// Makes `ticket` wait for the readings of `target` that are in progress.
    func delay(_ ticket: ReaderTicket, whileReading target: UInt) {
        for level in 0..<Self.levels {
            tickets.withLock { tickets in
                if marksAsWaitedFor(target, at: level) { tickets[level].append(ticket.holding()) }
            }
        }
    }

    /// Marks a reading of `target` as waited for, or returns false if none is in progress at this
    /// level.
    ///
    /// The reader takes the tickets after the exchange has returned the mark, and needs the lock
    /// for that. The reader therefore never misses a ticket that was added under the lock after the
    /// mark was set.
    private func marksAsWaitedFor(_ target: UInt, at level: Int) -> Bool {
        var word = unsafe words[level].load(ordering: .sequentiallyConsistent)
        while Self.matches(word, target) {
            if word & Self.waitedFor != 0 { return true }
            let (exchanged, original) = unsafe words[level].compareExchange(
                expected: word,
                desired: word | Self.waitedFor,
                ordering: .sequentiallyConsistent
            )
            if exchanged { return true }
            word = original
        }
        return false
    }

    /// Notifies the tickets that wait for the reading that the thread has just ended.
    func settle(_ level: Int) {
        let due = tickets.withLock { tickets in
            let due = tickets[level]
            tickets[level] = []
            return due
        }
        for ticket in due { ticket.arrive() }
    }

    private static func matches(_ word: UInt, _ target: UInt) -> Bool {
        let reading = word & ~waitedFor
        return reading != 0 && (target == 0 || reading == target || reading == everything)
    }
}
