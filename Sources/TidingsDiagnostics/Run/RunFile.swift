// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What a run leaves behind whatever ends it: its scope, its breadcrumbs, its errors.
///
/// It is memory that is a file: what was stored is there for the next start, after kill -9 too.
/// Nothing here waits for the disk, and nothing fails: all space is taken at the start, and where
/// there is none, it is memory that ends with the process. ``RunRecord`` reads it.
final class RunFile: Sendable {
    /// Why there is no file; nil when there is one, or when none was asked for.
    let failure: SystemError?
    /// Whether it outlives the process.
    let isOnDisk: Bool
    let state: Lock<RunState>
    /// Reached without the lock: an exit may come from inside of it.
    private let mark: EndMark

    /// Makes the file.
    ///
    /// - Parameter path: Where; nil for memory alone.
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

    /// Adds a breadcrumb in the place of the oldest one and returns its number, from 1 on.
    ///
    /// A text of more than 1,024 bytes and a location of more than 256 are cut.
    @discardableResult
    func append(_ breadcrumb: Breadcrumb) -> UInt64 {
        state.withLock { $0.append(breadcrumb) }
    }

    /// The number of the newest breadcrumb, 0 if there is none.
    var lastBreadcrumb: UInt64 { state.withLock { $0.lastBreadcrumb } }

    /// The newest breadcrumbs, the oldest first.
    ///
    /// - Parameter sequence: The last one of interest.
    /// - Returns: A hundred at most.
    func breadcrumbs(until sequence: UInt64 = .max) -> [Breadcrumb] {
        let (bytes, key) = state.withLock { ($0.breadcrumbBytes, $0.key) }
        return RunRecord.breadcrumbs(in: bytes[...], key: key)
            .filter { $0.sequence <= sequence }.map(\.breadcrumb)
    }

    /// Replaces the scope, as a whole or not at all.
    ///
    /// - Returns: False, and the scope stays as it was, when it has no room.
    @discardableResult
    func setScope(_ bytes: [UInt8]) -> Bool {
        state.withLock { $0.setScope(bytes) }
    }

    /// Adds an event that waits for its report.
    ///
    /// In a full log it takes the place of the oldest that waits; that one is counted.
    ///
    /// - Parameters:
    ///   - bytes: The event.
    ///   - isFatal: Whether it may only go for another such one.
    /// - Returns: nil when it is too large, or only such ones are there; it is counted.
    @discardableResult
    func append(event bytes: [UInt8], isFatal: Bool = false) -> EventTicket? {
        state.withLock { $0.append(event: bytes, isFatal: isFatal) }
    }

    /// The oldest event that waits for its report, behind another one if that is named.
    func firstEvent(after ticket: EventTicket? = nil) -> (ticket: EventTicket, bytes: [UInt8])? {
        state.withLock { $0.firstEvent(after: ticket) }
    }

    /// Says that the report of an event lies in the spool.
    ///
    /// - Returns: False when the event had to go meanwhile.
    @discardableResult
    func finish(_ ticket: EventTicket) -> Bool {
        state.withLock { $0.finish(ticket) }
    }

    /// Forgets the breadcrumbs and the events, whose bytes are overwritten; the scope stays.
    func forgetRecords() {
        state.withLock { $0.forgetRecords() }
    }

    /// How many events had no room.
    var lostEvents: Int { state.withLock { $0.lostEvents } }

    /// Says that the run ended by itself, unless a signal has ended it.
    ///
    /// Never waits for another thread.
    func markClean() {
        mark.replace(0, by: 1)
    }

    /// Takes back that it ended by itself.
    func markRunning() {
        mark.replace(1, by: 0)
    }

    /// The word that says how the run ended, for the signal handler.
    ///
    /// Asked for, the memory stays as long as the process.
    var endMark: UnsafeMutablePointer<UInt32>? {
        UnsafeMutablePointer(bitPattern: state.withLock { $0.pin(RunLayout.endMark) })
    }

    /// Where the newest text of the standard error is kept: a `tidings_crash_text`.
    ///
    /// Asked for, the memory stays as long as the process.
    var text: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: state.withLock { $0.pin(RunLayout.text) })
    }
}

/// An event in the file of a run that waits for its report.
struct EventTicket: Hashable, Sendable {
    let sequence: UInt64
}
