// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

/// A store in one file that several processes may share and that is never half written.
///
/// The store writes each change to a temporary file, waits for the disk and then replaces the
/// store's file. A lock on a second file, with the suffix `.lock`, excludes other processes. If the
/// file is damaged or has the format of a newer version, the store moves the file aside, reports
/// ``NotificationStoreSetAside`` and never deletes the file. Only the owner can read the file. The
/// store creates a missing folder. Copies of attached files are in a folder beside the file, with
/// the suffix `.attachments`.
package final class FileNotificationStore: NotificationStore {
    /// The format version that this store reads and writes.
    static let version = 1
    /// The longest time that a change waits for a turn while other processes change the file.
    static let turnLimit = Duration.seconds(10)

    private struct Handlers {
        let setAside: @Sendable (NotificationStoreSetAside) -> Void
        let changed: @Sendable () -> Void
    }

    private struct State {
        var handlers: Handlers?
        var cached: CachedRecord?
        /// The file as last written or last reported as changed by this store.
        var seen: RecordFile.Snapshot?
        /// Whether this store has looked at the file.
        var hasLooked = false
        var watch: FolderWatch?
        /// Whether another process had the lock at the end of the last wait.
        var isBusy = false
    }

    /// The record of the file as last read or written, so that an unchanged file is not read again.
    private struct CachedRecord {
        let file: RecordFile.Snapshot
        let record: NotificationRecord
    }

    /// The absolute path of the file.
    package let path: String
    /// The longest time that a change waits while one other process holds the lock.
    private let lockLimit: Duration
    private let lockTime: LockTime
    private let file: RecordFile
    private let queue = BlockingCallQueue("tidings.file-notification-store")
    private let state = Lock(State())

    /// Creates a store without reading or writing yet.
    ///
    /// - Parameter path: The absolute path of the file.
    package convenience init(path: String) {
        self.init(path: path, lockTime: .system)
    }

    init(path: String, lockLimit: Duration = .milliseconds(800), lockTime: LockTime = .system) {
        self.path = path
        self.lockLimit = lockLimit
        self.lockTime = lockTime
        file = RecordFile(path: path)
    }

    /// The folder beside the file with the copies of attached files.
    package var attachmentFolder: String? { "\(path).attachments" }

    /// Sets the closures to call after an unreadable file was set aside, and after another store
    /// has changed the file.
    package func start(
        setAside: @escaping @Sendable (NotificationStoreSetAside) -> Void,
        changed: @escaping @Sendable () -> Void
    ) {
        // The previous closures are released here, outside the lock.
        _ = state.withLock { state in
            defer { state.handlers = Handlers(setAside: setAside, changed: changed) }
            return state.handlers
        }
    }

    /// Returns the newest record, or an empty one if the file is missing.
    ///
    /// The call does not wait for other processes, unless the file has to be set aside.
    ///
    /// - Throws: ``UserNotificationError``: `.storeFailed` or `.storeBusy`.
    package func read() async throws -> NotificationRecord {
        do {
            // A file is replaced in one step, so reading needs no lock.
            return try await queue.run { try self.current() }
        } catch is UnreadableFile {
            return try await update { $0 }
        }
    }

    /// Changes the record in one transaction.
    ///
    /// - Throws: The error of the body, or ``UserNotificationError``: `.storeFailed`, `.storeBusy`
    ///   if another process holds the lock for 0.8 seconds, or `.diskFull`. While several processes
    ///   change the file in turn, the call waits up to ten seconds.
    package func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        try await queue.run {
            // Runs after the release of the lock.
            defer { self.watch() }
            let lock = try self.lock()
            defer { lock.release() }
            let stored = try self.newest()
            var record = stored
            let result = try body(&record)
            if record != stored { try self.write(record) }
            return result
        }
    }

    private func lock() throws -> FileLock {
        // While one process keeps the lock, only the first change waits the full time, so that the
        // waits of several changes do not add up.
        let limit = state.withLock { $0.isBusy ? lockLimit / 16 : lockLimit }
        let end = lockTime.now() + Self.turnLimit
        while true {
            let before = (try? file.snapshot()) ?? nil
            do {
                let lock = try file.lock(within: limit, time: lockTime)
                state.withLock { $0.isBusy = false }
                return lock
            } catch {
                // A changed file means that the lock has changed hands.
                if error.isBusy, lockTime.now() < end, isChanged(since: before) { continue }
                state.withLock { $0.isBusy = error.isBusy }
                throw Self.error(error, path)
            }
        }
    }

    private func isChanged(since before: RecordFile.Snapshot?) -> Bool {
        guard let now = (try? file.snapshot()) ?? nil else { return before != nil }
        return before.map { !now.isSame(as: $0) } ?? true
    }

    /// Returns the newest record, and first sets aside a file that cannot be read as a record.
    ///
    /// Call this with the lock.
    private func newest() throws -> NotificationRecord {
        do {
            return try current()
        } catch let error as UnreadableFile {
            try setAside(StoredFile.reason(of: error.content))
            return NotificationRecord()
        }
    }

    /// Returns the newest record.
    ///
    /// - Throws: `UnreadableFile` or ``UserNotificationError``.
    private func current() throws -> NotificationRecord {
        let snapshot = try systemCall { () throws(SystemError) in try file.snapshot() }
        reportChange(to: snapshot)
        guard let snapshot else { return NotificationRecord() }
        let cached = state.withLock(\.cached)
        if let cached, cached.file.isSame(as: snapshot) { return cached.record }
        let content = try systemCall { () throws(SystemError) in try snapshot.content() }
        guard let record = try? StoredFile.record(in: content) else {
            throw UnreadableFile(content: content)
        }
        cache(CachedRecord(file: snapshot, record: record))
        return record
    }

    private func write(_ record: NotificationRecord) throws {
        let content = try StoredFile.content(of: record)
        try systemCall { () throws(SystemError) in try file.replace(with: content) }
        // The change is stored. If the file cannot be opened now, the next call reads the file
        // again.
        let snapshot = (try? file.snapshot()) ?? nil
        cache(snapshot.map { CachedRecord(file: $0, record: record) })
        see(snapshot)
    }

    private func cache(_ cached: CachedRecord?) {
        _ = state.withLock { state in
            defer { state.cached = cached }
            return state.cached
        }
    }

    private func setAside(_ reason: NotificationStoreSetAside.Reason) throws {
        let newPath = try systemCall { () throws(SystemError) in try file.setAside(reason) }
        cache(nil)
        see(nil)
        state.withLock(\.handlers)?.setAside(
            NotificationStoreSetAside(path: newPath, reason: reason)
        )
    }
}

extension FileNotificationStore {
    /// Watches the folder of the file, once the folder exists and there are handlers to call.
    private func watch() {
        let isMissing = state.withLock { $0.watch == nil && $0.handlers != nil }
        guard isMissing, FileManager.default.fileExists(atPath: file.folder) else { return }
        let watch = queue.watch(file.folder) { [weak self] in self?.look() }
        state.withLock { $0.watch = watch }
        // No event reports a change from before the watch.
        look()
    }

    /// Looks for a change that another store has made.
    private func look() {
        if let snapshot = try? file.snapshot() { reportChange(to: snapshot) }
    }

    /// Reports a change to the file, unless this store made or already reported the change.
    ///
    /// The handler runs later on the queue, and therefore not while the file is locked.
    private func reportChange(to snapshot: RecordFile.Snapshot?) {
        guard see(snapshot) else { return }
        queue.enqueue { [weak self] in self?.state.withLock(\.handlers)?.changed() }
    }

    /// Records the state of the file and returns whether the file has changed.
    @discardableResult
    private func see(_ snapshot: RecordFile.Snapshot?) -> Bool {
        let (seen, hasLooked) = state.withLock { state in
            defer { (state.seen, state.hasLooked) = (snapshot, true) }
            return (state.seen, state.hasLooked)
        }
        guard hasLooked else { return false }
        guard let seen, let snapshot else { return seen != nil || snapshot != nil }
        return !seen.isSame(as: snapshot)
    }

    private func systemCall<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(UserNotificationError) -> Result {
        do {
            return try body()
        } catch {
            throw Self.error(error, path)
        }
    }

    static func error(_ failure: SystemError, _ path: String) -> UserNotificationError {
        let store = "notification store at \(path)"
        if failure.isFullDisk {
            let text = "The disk has no room for the \(store). Free some space; nothing was lost."
            return UserNotificationError(.diskFull, text, cause: failure)
        }
        if failure.isBusy {
            let holder = failure.path.flatMap { FileLock.holder(of: $0) }.map { "Process \($0)" }
            let text = "\(holder ?? "Another process") holds the \(store). Try again, or end it."
            return UserNotificationError(.storeBusy, text, cause: failure)
        }
        let text = "The \(store) cannot be read or written: \(failure). Check its permissions."
        return UserNotificationError(.storeFailed, text, cause: failure)
    }
}

/// The content of a file that is not a record.
private struct UnreadableFile: Error {
    let content: Data
}

/// The JSON form of the file.
private struct StoredFile: Codable {
    struct Header: Decodable {
        let version: Int
    }

    let version: Int
    let record: NotificationRecord

    static func content(of record: NotificationRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(
            StoredFile(version: FileNotificationStore.version, record: record)
        )
    }

    static func record(in content: Data) throws -> NotificationRecord {
        try JSONDecoder().decode(StoredFile.self, from: content).record
    }

    static func reason(of content: Data) -> NotificationStoreSetAside.Reason {
        let version = try? JSONDecoder().decode(Header.self, from: content).version
        guard let version, version != FileNotificationStore.version else { return .damaged }
        return .unknownVersion(version)
    }
}
