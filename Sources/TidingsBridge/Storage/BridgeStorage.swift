// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// The file of one bridge: its origin, outbox, inbox, cursors and dead letters.
///
/// One process at a time has the file open. SQLite runs under the lock, but no code of the user
/// does.
final class BridgeStorage: Sendable {
    /// The name of this storage in the ids of its messages, created with the file.
    let origin: String
    let limits: StorageLimits
    let durability: BridgeDurability
    let connection: Lock<SQLiteConnection>
    let waiting = Lock(OutboxQueue())
    let figures: Lock<OutboxFigures>
    let receipts = Receipts()
    /// The posts that wait for room in the outbox.
    let roomWaiters = Lock(RoomWaiters())
    let letterFigures: Lock<DeadLetterFigures>
    /// Whether this process has its own row numbers, which no process before a power cut can have
    /// used.
    let hasNewNumbers: Lock<Bool>
    private let lock: FileLock

    /// Opens the storage in a folder and creates both if necessary.
    ///
    /// - Throws: `inUse` with the name of the holder, or `storage`.
    init(
        folder: String,
        durability: BridgeDurability,
        limits: StorageLimits
    ) throws(BridgeError) {
        let lock = try Self.lock(folder)
        do {
            let path = folder + "/bridge.sqlite"
            hasNewNumbers = Lock(createPrivateFile(path))
            let connection = try Self.open(path, limits)
            origin = try Self.origin(in: connection)
            figures = Lock(try Self.figures(in: connection))
            letterFigures = Lock(try Self.deadLetterFigures(in: connection))
            self.connection = Lock(connection)
        } catch {
            throw BridgeError(storage: error)
        }
        self.lock = lock
        self.durability = durability
        self.limits = limits
    }

    /// Closes the file and lets another process open it.
    ///
    /// Later calls throw `storage`. Waiting receipts fail with `closed`, and posts that wait for
    /// room fail.
    func close() {
        connection.withLock { $0.close() }
        // The last commit may have added a receipt, so the receipts close after the connection.
        receipts.close()
        wakeRoomWaiters(isClosed: true)
        lock.release()
    }

    private static func lock(_ folder: String) throws(BridgeError) -> FileLock {
        let path = folder + "/bridge.lock"
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            if let lock = try FileLock.tryAcquire(path) { return lock }
        } catch {
            throw BridgeError(
                .storage,
                "The folder \(folder) cannot be used: \(error).",
                cause: error
            )
        }
        let holder = FileLock.holder(of: path).map { "process \($0)" } ?? "another process"
        throw BridgeError(
            .inUse,
            "The storage in \(folder) is in use by \(holder). Give each bridge a folder of its own."
        )
    }

    private static func open(
        _ path: String,
        _ limits: StorageLimits
    ) throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let version = try connection.userVersion
        guard version <= StorageSchema.version else {
            throw SQLiteError(
                .newerSchema,
                "\(path) was written by a newer version of this program. Use that version."
            )
        }
        if version < StorageSchema.version {
            try connection.transaction { () throws(SQLiteError) in
                for statement in StorageSchema.statements.dropFirst(version).joined() {
                    try connection.execute(statement)
                }
                try connection.setUserVersion(StorageSchema.version)
            }
        }
        // No other process reads the file, and each lock of a part of the file is a system call.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let sizes = try connection.rows("PRAGMA page_size") { row throws(SQLiteError) in
            try row.int("page_size")
        }
        // SQLite should reach this limit before the disk is full, because a full disk refuses even
        // the DELETE that drains a full outbox.
        let pages = limits.fileBytes / (sizes.first ?? 4_096)
        try connection.execute("PRAGMA max_page_count = \(max(pages, 64))")
        return connection
    }

    private static func origin(in connection: SQLiteConnection) throws(SQLiteError) -> String {
        let made = String(UInt64.random(in: .min ... .max), radix: 36)
        try connection.execute(
            "INSERT OR IGNORE INTO meta (name, value) VALUES ('origin', ?)",
            .text(made)
        )
        let sql = "SELECT value FROM meta WHERE name = 'origin'"
        return try connection.rows(sql) { row throws(SQLiteError) in try row.text("value") }.first
            ?? made
    }

    private static func figures(
        in connection: SQLiteConnection
    ) throws(SQLiteError) -> OutboxFigures {
        let sql = "SELECT count(*) AS rows, coalesce(sum(size), 0) AS bytes FROM outbox"
        let found = try connection.rows(sql) { row throws(SQLiteError) in
            OutboxFigures(rows: try row.int("rows"), bytes: try row.int("bytes"))
        }
        return found.first ?? OutboxFigures()
    }

    /// Runs `body` with the file.
    func use<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> sending Result
    ) throws(BridgeError) -> sending Result {
        do {
            return try connection.withLock { (connection) throws(SQLiteError) in
                try body(connection)
            }
        } catch {
            throw BridgeError(storage: error)
        }
    }
}

/// The number of rows in the outbox and their size for the quota.
struct OutboxFigures: Hashable, Sendable {
    var rows = 0
    var bytes = 0
}

/// The posts that wait for room in the outbox.
struct RoomWaiters {
    var waiting: [Int: @Sendable () -> Void] = [:]
    var last = 0
    var isClosed = false
}

/// Creates a file that only the owner can read, because SQLite would let other users read a file.
///
/// - Returns: False if the file exists or cannot be created. Opening the file then reports the
///   fault.
private func createPrivateFile(_ path: String) -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
}

/// When a stored message counts as stored.
@nonexhaustive public enum BridgeDurability: Hashable, Sendable {
    /// The message survives the end of the process, even by kill -9, but not a power cut.
    case process
    /// The message survives a power cut, because each commit is synced to the disk.
    case power
}

/// How much a bridge keeps on disk.
package struct StorageLimits: Hashable, Sendable {
    /// The bytes of messages that the outbox holds, 256 MiB by default.
    package var outboxBytes: Int
    /// The number of ids that the inbox remembers, 1,000,000 by default.
    ///
    /// A repeat that arrives after that many other messages is handled again.
    package var rememberedIDs: Int
    /// The number of messages that wait for another attempt before the reading pauses.
    package var parkedMessages: Int
    /// The number of dead letters above which the oldest are dropped and counted.
    var deadLetters = 100_000
    /// The bytes of dead letters above which the oldest are dropped and counted.
    var deadLetterBytes = 256 << 20

    /// Creates limits.
    package init(
        outboxBytes: Int = 256 << 20,
        rememberedIDs: Int = 1_000_000,
        parkedMessages: Int = 10_000
    ) {
        self.outboxBytes = outboxBytes
        self.rememberedIDs = rememberedIDs
        self.parkedMessages = parkedMessages
    }

    /// The largest size of the file: the outbox, the rest, and room for the pages' own data.
    var fileBytes: Int { outboxBytes + outboxBytes / 2 + (1 << 30) }
}

extension BridgeError {
    /// Creates the error for a failure of the file.
    init(storage error: any Error, fileID: StaticString = #fileID, line: UInt = #line) {
        let sqlite = error as? SQLiteError
        self.init(
            sqlite?.code == .full ? .full : .storage,
            sqlite?.message ?? "\(error)",
            cause: error,
            fileID: fileID,
            line: line
        )
    }
}
