// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The contents that ``RunFile`` wrote to a run's file, after the end of the run.
///
/// The file is untrusted. A record that is incomplete or does not match its checksum is skipped,
/// and all other records are kept.
struct RunRecord: Equatable, Sendable {
    /// The way in which the run ended.
    enum End: Equatable, Sendable {
        /// The run recorded no end.
        case running
        /// The run ended normally.
        case clean
        /// A signal ended the run.
        case terminated(signal: Int32)
    }

    /// A breadcrumb with a sequence number.
    struct Entry: Equatable, Sendable {
        let sequence: UInt64
        let breadcrumb: Breadcrumb
    }

    private(set) var end = End.running
    /// The encoded scope for ``ScopeRecord``, or nil if no scope was set.
    private(set) var scope: [UInt8]?
    /// The newest breadcrumbs, oldest first.
    private(set) var breadcrumbs: [Entry] = []
    /// The encoded events for ``EventRecord`` that have no report yet, oldest first.
    private(set) var events: [[UInt8]] = []
    /// The newest bytes of the standard error.
    private(set) var text: [UInt8] = []
    /// The number of events that were dropped because there was no space.
    private(set) var lostEvents = 0

    /// Reads a file of the current or the earlier format.
    ///
    /// - Returns: The record, or nil for a symbolic link or a file that is not the file of a run.
    static func read(_ path: String) -> RunRecord? {
        SystemFile.read(path, limit: RunLayout.size).flatMap { RunRecord($0) }
    }

    init?(_ data: some Collection<UInt8>) {
        let bytes = Array(data)
        let earlier = RunLayout.secondHead - RunLayout.earlierShift
        guard
            let head = Self.head(in: bytes[...], at: 0)
                ?? Self.head(in: bytes[...], at: RunLayout.secondHead)
                ?? Self.head(in: bytes[...], at: earlier)
        else { return nil }
        let (key, shift) = head
        end = Self.end(in: bytes[...])
        lostEvents = Self.lostEvents(in: bytes[...])
        scope = Self.scope(in: bytes[...], key: key)
        func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
            bytes.part((range.lowerBound - shift)..<(range.upperBound - shift))
        }
        events = Self.events(in: part(RunLayout.events..<RunLayout.secondHead), key: key)
        text = Self.text(in: part(RunLayout.text..<RunLayout.events))
        let slots = bytes.part(RunLayout.breadcrumbs..<(RunLayout.text - shift))
        breadcrumbs =
            shift == 0
            ? Self.breadcrumbs(in: slots, key: key)
            : Self.newest(of: slots, every: RunLayout.earlierBreadcrumbSlot) { slot in
                Self.earlierEntry(in: slots, at: slot, key: key)
            }
    }

    /// Returns the breadcrumbs up to the given sequence number.
    func breadcrumbs(until sequence: UInt64) -> [Breadcrumb] {
        breadcrumbs.filter { $0.sequence <= sequence }.map(\.breadcrumb)
    }

    /// Returns the key, and the number of bytes by which later parts are nearer to the start.
    private static func head(
        in bytes: ArraySlice<UInt8>,
        at offset: Int
    ) -> (key: UInt64, shift: Int)? {
        guard let magic = bytes.number(UInt64.self, at: offset),
            magic == RunLayout.magic || magic == RunLayout.earlierMagic,
            let key = bytes.number(UInt64.self, at: offset + RunLayout.key),
            let checksum = bytes.number(UInt64.self, at: offset + RunLayout.headChecksum),
            checksum == RunChecksum.of(magic: magic, key: key)
        else { return nil }
        return (key, magic == RunLayout.magic ? 0 : RunLayout.earlierShift)
    }

    private static func end(in bytes: ArraySlice<UInt8>) -> End {
        let mark = bytes.number(UInt32.self, at: RunLayout.endMark) ?? 0
        let signal = Int32(truncatingIfNeeded: mark >> 8)
        switch mark & 0xFF {
        case 1 where signal == 0: return .clean
        case 2 where (1...64).contains(signal): return .terminated(signal: signal)
        default: return .running
        }
    }

    private static func lostEvents(in bytes: ArraySlice<UInt8>) -> Int {
        let word = bytes.number(UInt64.self, at: RunLayout.lostEvents) ?? 0
        let count = UInt32(truncatingIfNeeded: word)
        return UInt32(truncatingIfNeeded: word >> 32) == ~count ? Int(count) : 0
    }

    private static func scope(in bytes: ArraySlice<UInt8>, key: UInt64) -> [UInt8]? {
        let slots = [UInt64(0), 1].map { RunLayout.scope($0) }
        let scopes = slots.compactMap { slot -> (sequence: UInt64, bytes: [UInt8])? in
            let head = RunLayout.scopeHead
            guard let checksum = bytes.number(UInt64.self, at: slot),
                let sequence = bytes.number(UInt64.self, at: slot + 8),
                let count = bytes.number(UInt64.self, at: slot + 16),
                count <= RunLayout.scopeSlot - head,
                let checked = bytes.bytes(head - 8 + Int(count), at: slot + 8),
                RunChecksum.of(checked, key: key) == checksum
            else { return nil }
            return (sequence, Array(checked.dropFirst(head - 8)))
        }
        return scopes.max { $0.sequence < $1.sequence }?.bytes
    }

    /// Decodes the breadcrumbs in the given slots, oldest first.
    static func breadcrumbs(in slots: ArraySlice<UInt8>, key: UInt64) -> [Entry] {
        newest(of: slots, every: RunLayout.breadcrumbSlot) { slot in
            entry(in: slots, at: slot, key: key)
        }
    }

    private static func newest(
        of slots: ArraySlice<UInt8>,
        every size: Int,
        _ entry: (_ slot: Int) -> Entry?
    ) -> [Entry] {
        (0..<RunLayout.breadcrumbSlots).compactMap { entry($0 * size) }
            .sorted { $0.sequence < $1.sequence }.suffix(RunLayout.breadcrumbLimit)
    }

    /// Decodes a breadcrumb of the earlier format, which had a code for the category.
    private static func earlierEntry(
        in slots: ArraySlice<UInt8>,
        at slot: Int,
        key: UInt64
    ) -> Entry? {
        let head = RunLayout.breadcrumbHead
        guard let checksum = slots.number(UInt64.self, at: slot),
            let sequence = slots.number(UInt64.self, at: slot + 8),
            let date = slots.number(UInt64.self, at: slot + 16),
            let category = slots.number(UInt16.self, at: slot + 24),
            let textSize = slots.number(UInt16.self, at: slot + 26),
            let location = slots.number(UInt32.self, at: slot + 28),
            textSize <= RunLayout.textLimit
        else { return nil }
        let locationSize = location == UInt16.max ? 0 : Int(location)
        guard locationSize <= RunLayout.locationLimit,
            let checked = slots.bytes(head - 8 + Int(textSize) + locationSize, at: slot + 8),
            RunChecksum.of(checked, key: key) == checksum
        else { return nil }
        let texts = checked.dropFirst(head - 8)
        let place = String(decoding: texts.dropFirst(Int(textSize)), as: UTF8.self)
        let breadcrumb = Breadcrumb(
            date: Date(recorded: date),
            category: category == 2 ? Breadcrumb.messageCategory : Breadcrumb.logCategory,
            text: String(decoding: texts.prefix(Int(textSize)), as: UTF8.self),
            location: location == UInt16.max ? nil : place
        )
        return Entry(sequence: sequence, breadcrumb: breadcrumb)
    }

    private static func entry(in slots: ArraySlice<UInt8>, at slot: Int, key: UInt64) -> Entry? {
        let head = RunLayout.breadcrumbHead
        guard let checksum = slots.number(UInt64.self, at: slot),
            let sequence = slots.number(UInt64.self, at: slot + 8),
            let date = slots.number(UInt64.self, at: slot + 16),
            let level = slots.number(UInt8.self, at: slot + 24),
            let categorySize = slots.number(UInt8.self, at: slot + 25),
            let textSize = slots.number(UInt16.self, at: slot + 26),
            let locationSize = slots.number(UInt16.self, at: slot + 28),
            let dataSize = slots.number(UInt16.self, at: slot + 30),
            textSize <= RunLayout.textLimit, categorySize <= RunLayout.categoryLimit,
            dataSize <= RunLayout.dataLimit
        else { return nil }
        let sizes = [
            Int(textSize), locationSize == UInt16.max ? 0 : Int(locationSize), Int(categorySize),
            Int(dataSize),
        ]
        guard sizes[1] <= RunLayout.locationLimit,
            let checked = slots.bytes(head - 8 + sizes.reduce(0, +), at: slot + 8),
            RunChecksum.of(checked, key: key) == checksum
        else { return nil }
        var rest = checked.dropFirst(head - 8)
        let parts = sizes.map { size in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
        var data = ByteReader(parts[3])
        let breadcrumb = Breadcrumb(
            date: Date(recorded: date),
            category: String(decoding: parts[2], as: UTF8.self),
            level: ReportLevel(code: level),
            text: String(decoding: parts[0], as: UTF8.self),
            data: dataSize == 0 ? [:] : data.values() ?? [:],
            location: locationSize == UInt16.max ? nil : String(decoding: parts[1], as: UTF8.self)
        )
        return Entry(sequence: sequence, breadcrumb: breadcrumb)
    }

    /// Returns the encoded events.
    ///
    /// The method checks every block, because the length of a torn record is unknown.
    private static func events(in log: ArraySlice<UInt8>, key: UInt64) -> [[UInt8]] {
        var events: [(sequence: UInt64, bytes: [UInt8])] = []
        var start = 0
        while start + RunLayout.eventHead <= log.count {
            guard let event = event(in: log, at: start, key: key) else {
                start += RunLayout.block
                continue
            }
            events.append(event)
            start += RunLayout.blocks(event.bytes.count) * RunLayout.block
        }
        return events.sorted { $0.sequence < $1.sequence }.map(\.bytes)
    }

    private static func event(
        in log: ArraySlice<UInt8>,
        at start: Int,
        key: UInt64
    ) -> (sequence: UInt64, bytes: [UInt8])? {
        let head = RunLayout.eventHead
        guard log.number(UInt64.self, at: start) == RunLayout.pending,
            let checksum = log.number(UInt64.self, at: start + 8),
            let sequence = log.number(UInt64.self, at: start + 16),
            let count = log.number(UInt32.self, at: start + 24), count <= RunLayout.eventLimit,
            let checked = log.bytes(head - 16 + Int(count), at: start + 16),
            RunChecksum.of(checked, key: key) == checksum
        else { return nil }
        return (sequence, Array(checked.dropFirst(head - 16)))
    }

    /// Unrolls the ring buffer of the newest bytes.
    private static func text(in bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let count = bytes.number(UInt32.self, at: 0),
            let ring = bytes.bytes(RunLayout.textSize, at: 4)
        else { return [] }
        let next = count > ring.count ? Int(count) % ring.count : 0
        let text = count > ring.count ? ring[...] : ring.prefix(Int(count))
        // Zeros replace discarded text.
        return (text.dropFirst(next) + text.prefix(next)).filter { $0 != 0 }
    }
}

extension Array where Element == UInt8 {
    /// Returns the bytes in the part of `range` that exists.
    fileprivate func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
        self[range.clamped(to: indices)]
    }
}

extension ArraySlice where Element == UInt8 {
    /// Returns `count` bytes at an offset from the start of the slice, or nil if out of bounds.
    fileprivate func bytes(_ count: Int, at offset: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            return nil
        }
        return self[(startIndex + offset)..<(startIndex + offset + count)]
    }

    fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type,
        at offset: Int
    ) -> Number? {
        bytes(MemoryLayout<Number>.size, at: offset).map { bytes in
            bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
        }
    }
}
