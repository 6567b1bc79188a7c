// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

/// The unfinished file that the connections of a download write.
///
/// With one connection, the file has the name `partial` and grows at the end. Before a second
/// connection starts, `spread` renames the file and adds a record of the ranges. Only one thread
/// may append for each connection. All other methods are safe from any thread. The file closes when
/// the object is released.
final class PartialFile: Sendable {
    private let stored: StoredBytes
    private let file: FileDescriptor
    /// The connection that has opened the file.
    let first: ConnectionPlan.Assignment
    private let state: Lock<State>

    private struct State {
        var plan: ConnectionPlan
        var record: RangeRecord?
        /// The lines of the connections in the record, including ended connections.
        var lines: [Int: Int] = [:]
        var lineCount = 0
        /// The ends of the written but unsynced bytes, by line.
        var unsynced: [Int: Int64] = [:]
        var syncFailure: SystemError?
    }

    /// Opens the file of a single connection, creates a missing file, and truncates the file to
    /// `length`.
    init(_ stored: StoredBytes, keeping length: Int64) throws(SystemError) {
        self.stored = stored
        // The file later becomes a file of the user. Until then, the folder keeps other users out.
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW
        file = try FileDescriptor(stored.partial, flags, FileDescriptor.ordinaryRights)
        guard ftruncate(file.number, off_t(length)) == 0 else {
            throw SystemError("truncate", path: stored.partial)
        }
        var plan = ConnectionPlan(keeping: RangeSet([0..<length]), size: nil)
        first = plan.beginFirst()
        state = Lock(State(plan: plan))
    }

    /// Syncs and opens a spread file.
    init(_ stored: StoredBytes, keeping ranges: RangeSet, size: Int64) throws(SystemError) {
        self.stored = stored
        file = try FileDescriptor(stored.spread, O_WRONLY | O_NOFOLLOW)
        try file.sync()
        var plan = ConnectionPlan(keeping: ranges, size: size)
        first = plan.beginFirst()
        var lines = ranges.ranges.map {
            RangeRecord.Line(start: $0.lowerBound, written: $0.upperBound, synced: $0.upperBound)
        }
        let begin = first.range.lowerBound
        lines.append(RangeRecord.Line(start: begin, written: begin, synced: begin))
        var state = State(plan: plan, record: try RangeRecord(stored.record, lines))
        state.lines[first.connection] = lines.count - 1
        state.lineCount = lines.count
        self.state = Lock(state)
    }

    /// The number of bytes on disk.
    var length: Int64 { state.withLock { $0.plan.kept.count } }

    /// Whether the file has a record of its ranges.
    var isSpread: Bool { state.withLock { $0.record != nil } }

    /// Whether a spread file has all bytes.
    var isComplete: Bool { state.withLock { $0.plan.isComplete } }

    /// Returns the number of bytes that a connection has received, or nil after the connection has
    /// ended.
    func received(by connection: Int) -> Int64? {
        state.withLock { state in
            guard let written = state.plan.written(by: connection),
                let start = state.plan.start(of: connection)
            else { return nil }
            return written - start
        }
    }

    /// Writes received bytes at the position of a connection.
    ///
    /// - Returns: The number of written bytes, and whether the connection needs no further bytes.
    func append(
        _ bytes: UnsafeRawBufferPointer,
        by connection: Int
    ) throws(SystemError) -> (count: Int64, isSurplus: Bool) {
        let range = state.withLock { $0.plan.claim(bytes.count, by: connection) }
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(range.count))
        try file.write(piece, at: range.lowerBound)
        let (record, line, isSurplus) = state.withLock { state in
            state.plan.confirm(Int64(range.count), by: connection)
            let line = state.lines[connection] ?? 0
            if state.record != nil { state.unsynced[line] = range.upperBound }
            return (state.record, line, state.plan.isSurplus(connection))
        }
        if let record, !range.isEmpty { try record.setWritten(range.upperBound, line: line) }
        return (Int64(range.count), isSurplus || range.count < bytes.count)
    }

    /// Converts the file into the form for several connections.
    ///
    /// - Parameter size: The announced size.
    /// - Throws: `SystemError`. The record counts only from the rename on.
    func spread(size: Int64) throws(SystemError) {
        do throws(SystemError) {
            try file.sync()
        } catch {
            state.withLock { $0.syncFailure = error }
            throw error
        }
        let line = state.withLock { state in
            let written = state.plan.kept.prefix
            return RangeRecord.Line(start: 0, written: written, synced: 0)
        }
        let record = try RangeRecord(stored.record, [line])
        state.withLock { state in
            state.plan.limit(to: size)
            state.record = record
            state.lines = [first.connection: 0]
            state.lineCount = 1
            state.unsynced = [0: state.plan.kept.prefix]
        }
        // This call records the bytes that arrived in the meantime. Otherwise, only the next append
        // would record these bytes.
        try record.setWritten(length, line: 0)
        try SystemFile.rename(stored.partial, to: stored.spread)
    }

    /// Starts a further connection.
    ///
    /// The result is nil if no missing range justifies a connection.
    func beginNext() throws(SystemError) -> ConnectionPlan.Assignment? {
        let begun = state.withLock { state -> (ConnectionPlan.Assignment, Int, RangeRecord)? in
            guard let record = state.record, let next = state.plan.beginNext() else { return nil }
            let line = state.lineCount
            state.lineCount += 1
            state.lines[next.connection] = line
            return (next, line, record)
        }
        guard let (next, line, record) = begun else { return nil }
        let start = next.range.lowerBound
        try record.append(.init(start: start, written: start, synced: start), number: line)
        return next
    }

    /// Ends a connection.
    ///
    /// Other connections fetch the rest of the range.
    func end(_ connection: Int) {
        state.withLock { $0.plan.end(connection) }
    }

    /// Writes all bytes to the disk and records the ranges as synced.
    ///
    /// - Returns: A lower bound of the synced bytes at the start of the file.
    func sync() throws(SystemError) -> Int64 {
        let (prefix, record, ends) = try state.withLock { state throws(SystemError) in
            if let failure = state.syncFailure { throw failure }
            defer { state.unsynced = [:] }
            return (state.plan.kept.prefix, state.record, state.unsynced)
        }
        guard fdatasync(file.number) == 0 else {
            // The system reports a lost write only once, so a later sync would succeed.
            let failure = SystemError("fdatasync", path: file.path)
            state.withLock { $0.syncFailure = failure }
            throw failure
        }
        if let record, !ends.isEmpty {
            for (line, end) in ends { try record.setSynced(end, line: line) }
            try record.sync()
        }
        return prefix
    }

    /// Converts a complete and synced spread file into the form for a single connection.
    func join() throws {
        try stored.join(keeping: state.withLock { $0.plan.size })
    }
}
