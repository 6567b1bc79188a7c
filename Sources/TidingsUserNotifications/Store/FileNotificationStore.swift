// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A store in one file that is always whole and that several processes may share.
///
/// A change is written to a file beside it, waits for the disk, and takes the file's place in one
/// step. A lock on another file beside it, with `.lock` at its name, keeps the processes of one
/// program apart. A file that is damaged, or that a newer version of the program has written, is
/// moved aside and told of as ``NotificationStoreSetAside``; it is never deleted. The file belongs
/// to its owner alone; the folder is made when it is missing. Copies of the files that come with
/// notifications are in a folder beside it, with `.attachments` at its name.
///
/// ```swift
/// let store = FileNotificationStore(path: "/srv/films/notifications.json")
/// ```
public final class FileNotificationStore: NotificationStore {
    /// The form of the file that this version writes and reads.
    static let version = 1
    /// How long a change waits for other processes.
    static let lockLimit = Duration.seconds(10)

    private struct State {
        var report: (@Sendable (NotificationStoreSetAside) -> Void)?
        var known: Known?
    }

    /// What the file held when it was last looked at.
    private struct Known {
        let file: RecordFile.Pinned
        let record: NotificationRecord
    }

    /// Where the record is.
    public let path: String
    private let file: RecordFile
    private let queue = StoreQueue("tidings.file-notification-store")
    private let state = Lock(State())

    /// Creates a store; nothing is read or written yet.
    ///
    /// - Parameter path: The absolute path of the file.
    public init(path: String) {
        self.path = path
        file = RecordFile(path: path)
    }

    /// The folder beside the file where copies of attachments are.
    public var attachmentFolder: String? { "\(path).attachments" }

    /// Hands over where to tell that an unreadable file was set aside.
    public func start(_ report: @escaping @Sendable (NotificationStoreSetAside) -> Void) {
        // A replaced closure is released here, after the lock.
        _ = state.withLock { state in
            defer { state.report = report }
            return state.report
        }
    }

    /// Returns the newest record; an empty one when there is no file.
    ///
    /// - Throws: ``UserNotificationError``: `.storeFailed` or `.storeBusy`.
    public func read() async throws -> NotificationRecord {
        try await update { $0 }
    }

    /// Changes the record in one step that happens completely or not at all.
    ///
    /// - Throws: What the body throws, or ``UserNotificationError``: `.storeFailed`, `.storeBusy`
    ///   when another process has held the lock for ten seconds, or `.diskFull`.
    public func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        try await queue.run {
            let lock = try self.systemCall { () throws(SystemFailure) in
                try self.file.lock(within: Self.lockLimit)
            }
            defer { lock.close() }
            let stored = try self.newest()
            var record = stored
            let result = try body(&record)
            if record != stored { try self.write(record) }
            return result
        }
    }

    private func newest() throws -> NotificationRecord {
        let pinned = try systemCall { () throws(SystemFailure) in try file.pin() }
        guard let pinned else { return NotificationRecord() }
        let known = state.withLock(\.known)
        if let known, known.file.isSame(as: pinned) { return known.record }
        let content = try systemCall { () throws(SystemFailure) in try pinned.content() }
        do {
            let record = try Envelope.record(in: content)
            remember(Known(file: pinned, record: record))
            return record
        } catch {
            try setAside(Envelope.reason(of: content))
            return NotificationRecord()
        }
    }

    private func write(_ record: NotificationRecord) throws {
        let content = try Envelope.content(of: record)
        try systemCall { () throws(SystemFailure) in try file.replace(with: content) }
        // Written is written: a file that cannot be looked at now is read again next time.
        let pinned = (try? file.pin()) ?? nil
        remember(pinned.map { Known(file: $0, record: record) })
    }

    private func remember(_ known: Known?) {
        _ = state.withLock { state in
            defer { state.known = known }
            return state.known
        }
    }

    private func setAside(_ reason: NotificationStoreSetAside.Reason) throws {
        let place = try systemCall { () throws(SystemFailure) in try file.setAside(reason) }
        remember(nil)
        state.withLock(\.report)?(NotificationStoreSetAside(path: place, reason: reason))
    }
}

extension FileNotificationStore {
    private func systemCall<Result>(
        _ body: () throws(SystemFailure) -> Result
    ) throws(UserNotificationError) -> Result {
        do {
            return try body()
        } catch {
            throw Self.error(error, path)
        }
    }

    static func error(_ failure: SystemFailure, _ path: String) -> UserNotificationError {
        let subject = "What is kept of notifications, in \(path),"
        if failure.isFullDisk {
            let text = "\(subject) finds no room on the disk. Make some; nothing was lost."
            return UserNotificationError(.diskFull, text, cause: failure)
        }
        if failure.isBusy {
            let text = "\(subject) is held by another process. Try again, or end that one."
            return UserNotificationError(.storeBusy, text, cause: failure)
        }
        let text = "\(subject) cannot be read or written: \(failure). Look at its rights."
        return UserNotificationError(.storeFailed, text, cause: failure)
    }
}

/// The form of the file.
private struct Envelope: Codable {
    struct Header: Decodable {
        let version: Int
    }

    let version: Int
    let record: NotificationRecord

    static func content(of record: NotificationRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(Envelope(version: FileNotificationStore.version, record: record))
    }

    static func record(in content: Data) throws -> NotificationRecord {
        try JSONDecoder().decode(Envelope.self, from: content).record
    }

    static func reason(of content: Data) -> NotificationStoreSetAside.Reason {
        let version = try? JSONDecoder().decode(Header.self, from: content).version
        guard let version, version != FileNotificationStore.version else { return .damaged }
        return .unknownVersion(version)
    }
}
