// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The file of a notification store, and the lock beside it.
struct RecordFile: Sendable {
    /// The file at one moment, held open so that no later file gets the same identity.
    struct Snapshot: Sendable {
        private let file: FileDescriptor
        private let identity: [Int]

        fileprivate init(_ file: FileDescriptor) throws(SystemError) {
            self.file = file
            let status = try file.status()
            identity = [
                Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
                Int(status.st_size), status.modification.tv_sec, status.modification.tv_nsec,
            ]
        }

        func isSame(as other: Snapshot) -> Bool { identity == other.identity }
        func content() throws(SystemError) -> Data { try file.content() }
    }

    private let file: AtomicFile

    init(path: String) {
        file = AtomicFile(path: path, isLocked: true)
    }

    /// The folder of the file.
    var folder: String { (file.path as NSString).deletingLastPathComponent }

    /// Excludes other stores, in this process and in others.
    func lock(within limit: Duration, time: LockTime) throws(SystemError) -> FileLock {
        try SystemFile.makeFolder(folder)
        return try FileLock.acquire("\(file.path).lock", within: limit, time: time)
    }

    /// Returns a snapshot of the present file, or nil if there is none.
    func snapshot() throws(SystemError) -> Snapshot? {
        guard let open = try file.open() else { return nil }
        return try Snapshot(open)
    }

    /// Replaces the content and returns after the content is on disk.
    func replace(with content: Data) throws(SystemError) {
        try file.replace(with: content)
    }

    /// Renames the file to a name that gives the reason, and returns the new path.
    func setAside(_ reason: NotificationStoreSetAside.Reason) throws(SystemError) -> String {
        switch reason {
        case .damaged: try file.setAside(as: "damaged")
        case .unknownVersion(let version): try file.setAside(as: "version-\(version)")
        }
    }
}

extension stat {
    fileprivate var modification: timespec {
        #if os(Linux)
        st_mtim
        #else
        st_mtimespec
        #endif
    }
}
