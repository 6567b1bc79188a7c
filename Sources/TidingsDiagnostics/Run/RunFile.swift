// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

/// The memory-mapped file of a run, with the scope, breadcrumbs and pending events.
///
/// The data survives the end of the process, even `kill -9`, and the next start reads the file with
/// ``RunRecord``. No method waits for the disk or fails, because all disk space is reserved at the
/// start. Without a file, the data lives in plain memory and ends with the process.
final class RunFile: Sendable {
    /// The reason for the missing file, or nil if the file exists or was not requested.
    let failure: SystemError?
    /// Whether the data outlives the process.
    let isOnDisk: Bool
    let state: Lock<RunState>
    /// The end mark, accessed without the lock because `exit` may be called under the lock.
    private let mark: EndMark

    /// Creates the file.
    ///
    /// - Parameter path: The path of the new file, or nil for plain memory.
    init(at path: String?) {
        let key = UInt64.random(in: .min ... .max)
        guard let path else {
            (failure, isOnDisk) = (nil, false)
            state = Lock(RunState(RunMemory(count: RunLayout.size), key: key))
            mark = state.withLock { $0.mark }
            return
        }
        do throws(SystemError) {
            state = Lock(RunState(try RunMemory(at: path, count: RunLayout.size), key: key))
            (failure, isOnDisk) = (nil, true)
        } catch {
            state = Lock(RunState(RunMemory(count: RunLayout.size), key: key))
            (failure, isOnDisk) = (error, false)
        }
        mark = state.withLock { $0.mark }
    }

    /// Appends a breadcrumb, overwriting the oldest breadcrumb, and returns the sequence number.
    ///
    /// Sequence numbers start at 1. A text of more than 1,024 bytes and a location of more than 256
    /// bytes are cut.
    @discardableResult
    func append(_ breadcrumb: Breadcrumb) -> UInt64 {
        state.withLock { $0.append(breadcrumb) }
    }

    /// The sequence number of the newest breadcrumb, or 0 if there is none.
    var lastBreadcrumb: UInt64 { state.withLock { $0.lastBreadcrumb } }

    /// Returns the newest breadcrumbs, oldest first.
    ///
    /// - Parameter sequence: The highest sequence number to include.
    /// - Returns: At most 100 breadcrumbs.
    func breadcrumbs(until sequence: UInt64 = .max) -> [Breadcrumb] {
        let (bytes, key) = state.withLock { ($0.breadcrumbBytes, $0.key) }
        return RunRecord.breadcrumbs(in: bytes[...], key: key)
            .filter { $0.sequence <= sequence }.map(\.breadcrumb)
    }

    /// Replaces the scope atomically.
    ///
    /// - Returns: Whether the scope fits. Otherwise, the old scope remains.
    @discardableResult
    func setScope(_ bytes: [UInt8]) -> Bool {
        state.withLock { $0.setScope(bytes) }
    }

    /// Appends an event that has no report yet.
    ///
    /// In a full log the oldest events are evicted and counted.
    ///
    /// - Parameters:
    ///   - bytes: The encoded event.
    ///   - isFatal: Whether only another fatal event can evict the event.
    /// - Returns: The pending event, or nil if the event is too large or only fatal events remain.
    ///   The loss is counted.
    @discardableResult
    func append(event bytes: [UInt8], isFatal: Bool = false) -> PendingEvent? {
        state.withLock { $0.append(event: bytes, isFatal: isFatal) }
    }

    /// Returns the oldest pending event, or the next event after `pendingEvent`.
    func firstEvent(
        after pendingEvent: PendingEvent? = nil
    ) -> (pendingEvent: PendingEvent, bytes: [UInt8])? {
        state.withLock { $0.firstEvent(after: pendingEvent) }
    }

    /// Removes an event whose report is in the spool.
    ///
    /// - Returns: Whether the event was still there and had not been evicted.
    @discardableResult
    func finish(_ pendingEvent: PendingEvent) -> Bool {
        state.withLock { $0.finish(pendingEvent) }
    }

    /// Removes all breadcrumbs and events and overwrites the bytes, but keeps the scope.
    func discardRecords() {
        state.withLock { $0.discardRecords() }
    }

    /// The number of events that were dropped because there was no space.
    var lostEvents: Int { state.withLock { $0.lostEvents } }

    /// Marks the run as ended normally, unless a signal has ended it.
    ///
    /// The method never blocks.
    func markClean() {
        mark.replace(0, by: 1)
    }

    /// Reverts ``markClean()``.
    func markRunning() {
        mark.replace(1, by: 0)
    }

    /// The word that records how the run ended, for the signal handler.
    ///
    /// After this call the memory is never unmapped.
    var endMark: UnsafeMutablePointer<UInt32>? {
        UnsafeMutablePointer(bitPattern: state.withLock { $0.pin(RunLayout.endMark) })
    }

    /// The mapped file, or nil in plain memory.
    ///
    /// After this call the memory is never unmapped.
    var mappedMemory: UnsafeMutableRawBufferPointer? {
        guard isOnDisk else { return nil }
        let start = UnsafeMutableRawPointer(bitPattern: state.withLock { $0.pin(0) })
        return UnsafeMutableRawBufferPointer(start: start, count: RunLayout.size)
    }

    /// The `tidings_crash_text` for the newest text of the standard error.
    ///
    /// After this call the memory is never unmapped.
    var text: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: state.withLock { $0.pin(RunLayout.text) })
    }
}

/// Identifies an event in the file of a run that has no report yet.
struct PendingEvent: Hashable, Sendable {
    let sequence: UInt64
}
