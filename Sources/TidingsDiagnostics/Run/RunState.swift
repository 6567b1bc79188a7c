// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The state of a ``RunFile``, guarded by the lock of the file.
///
/// The process may end between any two statements. A record is therefore valid only once its
/// checksum is stored, and only slots that are no longer needed are overwritten.
struct RunState: ~Copyable {
    let key: UInt64
    private(set) var lastBreadcrumb: UInt64 = 0
    private(set) var lostEvents = 0
    private var lastScope: UInt64 = 0
    private var lastEvent: UInt64 = 0
    private var allocator = EventBlockAllocator(blocks: RunLayout.eventBlocks)
    private var memory: RunMemory

    init(_ memory: consuming RunMemory, key: UInt64) {
        self.memory = memory
        self.key = key
        let checksum = RunChecksum.of(magic: RunLayout.magic, key: key)
        storeLostEvents()
        for head in [RunLayout.secondHead, 0] {
            self.memory.store(key, at: head + RunLayout.key)
            self.memory.store(checksum, at: head + RunLayout.headChecksum)
            self.memory.store(RunLayout.magic, at: head)
        }
    }

    mutating func append(_ breadcrumb: Breadcrumb) -> UInt64 {
        lastBreadcrumb += 1
        let slot = RunLayout.breadcrumb(lastBreadcrumb)
        let head = RunLayout.breadcrumbHead
        let date = breadcrumb.date.timeIntervalSinceReferenceDate.bitPattern
        memory.store(lastBreadcrumb, at: slot + 8)
        memory.store(date, at: slot + 16)
        memory.store(breadcrumb.level.code, at: slot + 24)
        var size = memory.store(breadcrumb.text, limit: RunLayout.textLimit, at: slot + head)
        memory.store(UInt16(truncatingIfNeeded: size), at: slot + 26)
        var locationSize = UInt16.max
        if let location = breadcrumb.location {
            let limit = RunLayout.locationLimit
            let count = memory.store(location, limit: limit, at: slot + head + size)
            locationSize = UInt16(truncatingIfNeeded: count)
            size += count
        }
        memory.store(locationSize, at: slot + 28)
        let category = memory.store(
            breadcrumb.category,
            limit: RunLayout.categoryLimit,
            at: slot + head + size
        )
        memory.store(UInt8(truncatingIfNeeded: category), at: slot + 25)
        size += category
        let data = breadcrumb.data.isEmpty ? 0 : store(breadcrumb.data, at: slot + head + size)
        memory.store(UInt16(truncatingIfNeeded: data), at: slot + 30)
        size += data
        memory.store(memory.checksum(head - 8 + size, at: slot + 8, key: key), at: slot)
        return lastBreadcrumb
    }

    /// Stores as many values as fit, in the order of their names, and returns the number of bytes.
    private func store(_ data: [String: ReportValue], at offset: Int) -> Int {
        var kept: [(key: String, value: ReportValue)] = []
        var size = 0
        for entry in data.sorted(by: { $0.key < $1.key }) {
            let next = ByteWriter.size(of: entry.key, entry.value)
            guard size + next <= RunLayout.dataLimit - MemoryLayout<UInt16>.size else { continue }
            size += next
            kept.append(entry)
        }
        var bytes = ByteWriter(capacity: RunLayout.dataLimit)
        bytes.append(Dictionary(kept) { first, _ in first })
        return memory.store(bytes.bytes, at: offset)
    }

    /// The bytes of all breadcrumb slots.
    var breadcrumbBytes: [UInt8] {
        let size = RunLayout.breadcrumbSlots * RunLayout.breadcrumbSlot
        return memory.bytes(size, at: RunLayout.breadcrumbs)
    }

    mutating func setScope(_ bytes: [UInt8]) -> Bool {
        let head = RunLayout.scopeHead
        guard bytes.count <= RunLayout.scopeSlot - head else { return false }
        lastScope += 1
        let slot = RunLayout.scope(lastScope)
        memory.store(lastScope, at: slot + 8)
        memory.store(UInt64(bytes.count), at: slot + 16)
        memory.store(bytes, at: slot + head)
        memory.store(memory.checksum(head - 8 + bytes.count, at: slot + 8, key: key), at: slot)
        return true
    }

    mutating func append(event bytes: [UInt8], isFatal: Bool) -> PendingEvent? {
        let count = bytes.count
        guard count <= RunLayout.eventLimit,
            let added = allocator.add(
                lastEvent + 1,
                count: RunLayout.blocks(count),
                isFatal: isFatal
            )
        else {
            lose(1)
            return nil
        }
        if !added.dropped.isEmpty { lose(added.dropped.count) }
        for allocation in added.dropped { release(allocation) }
        lastEvent += 1
        let start = offset(of: added.allocation)
        let head = RunLayout.eventHead
        memory.store(lastEvent, at: start + 16)
        memory.store(UInt32(truncatingIfNeeded: count), at: start + 24)
        memory.store(UInt32(isFatal ? 1 : 0), at: start + 28)
        memory.store(bytes, at: start + head)
        memory.store(memory.checksum(head - 16 + count, at: start + 16, key: key), at: start + 8)
        memory.store(RunLayout.pending, at: start)
        return PendingEvent(sequence: lastEvent)
    }

    func firstEvent(
        after pendingEvent: PendingEvent?
    ) -> (pendingEvent: PendingEvent, bytes: [UInt8])? {
        guard let allocation = allocator.first(after: pendingEvent?.sequence ?? 0) else {
            return nil
        }
        let start = offset(of: allocation)
        let count = Int(memory.load(UInt32.self, at: start + 24))
        let bytes = memory.bytes(count, at: start + RunLayout.eventHead)
        return (PendingEvent(sequence: allocation.sequence), bytes)
    }

    mutating func finish(_ pendingEvent: PendingEvent) -> Bool {
        guard let allocation = allocator.remove(pendingEvent.sequence) else { return false }
        release(allocation)
        return true
    }

    /// Removes all breadcrumbs and events.
    ///
    /// Sequence numbers continue, so that later records are not mistaken for older records.
    mutating func discardRecords() {
        allocator = EventBlockAllocator(blocks: RunLayout.eventBlocks)
        memory.clear(RunLayout.eventBlocks * RunLayout.block, at: RunLayout.events)
        let size = RunLayout.breadcrumbSlots * RunLayout.breadcrumbSlot
        memory.clear(size, at: RunLayout.breadcrumbs)
    }

    /// The end mark, which is valid for the lifetime of this value.
    var mark: EndMark { EndMark(address: memory.address(RunLayout.endMark)) }

    mutating func pin(_ offset: Int) -> UInt {
        memory.pin(offset)
    }

    private mutating func lose(_ count: Int) {
        lostEvents += count
        storeLostEvents()
    }

    /// Stores the number as one word, so that a reader gets either the old or the new number.
    private func storeLostEvents() {
        let count = UInt32(clamping: lostEvents)
        memory.store(UInt64(~count) << 32 | UInt64(count), at: RunLayout.lostEvents)
    }

    /// Marks the blocks as free before they are reused.
    private func release(_ allocation: EventBlockAllocator.Allocation) {
        memory.store(UInt64.zero, at: offset(of: allocation))
    }

    private func offset(of allocation: EventBlockAllocator.Allocation) -> Int {
        RunLayout.events + allocation.block * RunLayout.block
    }
}
