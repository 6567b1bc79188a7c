// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a run leaves behind, for one thread at a time.
///
/// The process may end between any two lines. Hence what is written first is never what a reader
/// believes without the checksum, and what is overwritten is not needed any more.
struct RunState: ~Copyable {
    let key: UInt64
    private(set) var lastBreadcrumb: UInt64 = 0
    private(set) var lostEvents = 0
    private var lastScope: UInt64 = 0
    private var lastEvent: UInt64 = 0
    private var places = EventPlaces(blocks: RunLayout.eventBlocks)
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
        memory.store(breadcrumb.origin.code, at: slot + 24)
        var size = memory.store(breadcrumb.text, limit: RunLayout.textLimit, at: slot + head)
        memory.store(UInt16(truncatingIfNeeded: size), at: slot + 26)
        var locationSize = UInt16.max
        if let location = breadcrumb.location {
            let limit = RunLayout.locationLimit
            let count = memory.store(location, limit: limit, at: slot + head + size)
            locationSize = UInt16(truncatingIfNeeded: count)
            size += count
        }
        memory.store(UInt32(locationSize), at: slot + 28)
        memory.store(memory.checksum(head - 8 + size, at: slot + 8, key: key), at: slot)
        return lastBreadcrumb
    }

    /// The bytes of all slots.
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

    mutating func append(event bytes: [UInt8], isFatal: Bool) -> EventTicket? {
        let count = bytes.count
        guard count <= RunLayout.eventLimit,
            let added = places.add(
                lastEvent + 1,
                count: RunLayout.blocks(count),
                isFatal: isFatal
            )
        else {
            lose(1)
            return nil
        }
        if !added.dropped.isEmpty { lose(added.dropped.count) }
        for place in added.dropped { release(place) }
        lastEvent += 1
        let start = offset(of: added.place)
        let head = RunLayout.eventHead
        memory.store(lastEvent, at: start + 16)
        memory.store(UInt32(truncatingIfNeeded: count), at: start + 24)
        memory.store(UInt32(isFatal ? 1 : 0), at: start + 28)
        memory.store(bytes, at: start + head)
        memory.store(memory.checksum(head - 16 + count, at: start + 16, key: key), at: start + 8)
        memory.store(RunLayout.pending, at: start)
        return EventTicket(sequence: lastEvent)
    }

    func firstEvent(after ticket: EventTicket?) -> (ticket: EventTicket, bytes: [UInt8])? {
        guard let place = places.first(after: ticket?.sequence ?? 0) else { return nil }
        let start = offset(of: place)
        let count = Int(memory.load(UInt32.self, at: start + 24))
        let bytes = memory.bytes(count, at: start + RunLayout.eventHead)
        return (EventTicket(sequence: place.sequence), bytes)
    }

    mutating func finish(_ ticket: EventTicket) -> Bool {
        guard let place = places.remove(ticket.sequence) else { return false }
        release(place)
        return true
    }

    /// Numbers go on, so that what is recorded later is not taken for something older.
    mutating func forgetRecords() {
        places = EventPlaces(blocks: RunLayout.eventBlocks)
        memory.clear(RunLayout.eventBlocks * RunLayout.block, at: RunLayout.events)
        let size = RunLayout.breadcrumbSlots * RunLayout.breadcrumbSlot
        memory.clear(size, at: RunLayout.breadcrumbs)
    }

    /// Valid as long as this.
    var mark: EndMark { EndMark(address: memory.address(RunLayout.endMark)) }

    mutating func pin(_ offset: Int) -> UInt {
        memory.pin(offset)
    }

    private mutating func lose(_ count: Int) {
        lostEvents += count
        storeLostEvents()
    }

    /// One word, so that it is the old number or the new one.
    private func storeLostEvents() {
        let count = UInt32(clamping: lostEvents)
        memory.store(UInt64(~count) << 32 | UInt64(count), at: RunLayout.lostEvents)
    }

    /// A place is given to another event only after this.
    private func release(_ place: EventPlaces.Place) {
        memory.store(UInt64.zero, at: offset(of: place))
    }

    private func offset(of place: EventPlaces.Place) -> Int {
        RunLayout.events + place.block * RunLayout.block
    }
}

extension Breadcrumb.Origin {
    /// Its number in a file.
    var code: UInt16 {
        switch self {
        case .log: 1
        case .message: 2
        }
    }

    init?(code: UInt16) {
        switch code {
        case 1: self = .log
        case 2: self = .message
        default: return nil
        }
    }
}
