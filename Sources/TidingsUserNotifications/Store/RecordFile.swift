// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file that is replaced in one step, and the lock beside it.
struct RecordFile: Sendable {
    /// A file that is held open, so that its number means no other one.
    struct Pinned: Sendable {
        private let descriptor: Descriptor
        private let identity: [Int]

        fileprivate init(_ descriptor: Descriptor) throws(SystemFailure) {
            self.descriptor = descriptor
            var status = stat()
            guard fstat(descriptor.number, &status) == 0 else { throw SystemFailure("stat") }
            identity = [
                Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
                Int(status.st_size), status.modification.tv_sec, status.modification.tv_nsec,
            ]
        }

        func isSame(as other: Pinned) -> Bool { identity == other.identity }
        func content() throws(SystemFailure) -> Data { try descriptor.content() }
    }

    /// A lock that is held until it is closed.
    struct Held {
        fileprivate let descriptor: Descriptor

        func close() { flock(descriptor.number, LOCK_UN) }
    }

    let path: String
    /// Where a new content is written first; of one store alone, under the lock.
    private var part: String { "\(path).part" }
    private var folder: String { (path as NSString).deletingLastPathComponent }

    init(path: String) {
        self.path = path
    }

    /// Keeps other stores away, in this process and in others.
    func lock(within limit: Duration) throws(SystemFailure) -> Held {
        try makeFolder(folder)
        let descriptor = try Descriptor("\(path).lock", O_RDWR | O_CREAT)
        let deadline = ContinuousClock.now + limit
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            let failure = SystemFailure("flock")
            guard failure.isBusy || failure.number == EINTR, ContinuousClock.now < deadline else {
                throw failure
            }
            // On the store's own queue: nobody else waits here.
            usleep(1_000)
        }
        return Held(descriptor: descriptor)
    }

    /// Holds the file open; nil if there is none.
    func pin() throws(SystemFailure) -> Pinned? {
        do throws(SystemFailure) {
            return try Pinned(try Descriptor(path, O_RDONLY | O_NONBLOCK))
        } catch {
            if error.isMissingFile { return nil }
            throw error
        }
    }

    /// Replaces the content, and waits for the disk.
    func replace(with content: Data) throws(SystemFailure) {
        do throws(SystemFailure) {
            // What a killed program has left over; the lock says that nobody writes it now.
            unlink(part)
            try Descriptor(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW).write(content)
            guard rename(part, path) == 0 else { throw SystemFailure("rename") }
        } catch {
            unlink(part)
            throw error
        }
        syncFolder()
    }

    /// Moves the file out of the way, under a name that says why and that nothing else has.
    func setAside(_ reason: NotificationStoreSetAside.Reason) throws(SystemFailure) -> String {
        let suffix =
            switch reason {
            case .damaged: "damaged"
            case .unknownVersion(let version): "version-\(version)"
            }
        var place = "\(path).\(suffix)"
        var number = 1
        while access(place, F_OK) == 0 {
            number += 1
            place = "\(path).\(suffix)-\(number)"
        }
        guard rename(path, place) == 0 else { throw SystemFailure("rename") }
        syncFolder()
        return place
    }

    /// Makes the new name last; what cannot be synced is whole all the same.
    private func syncFolder() {
        guard let descriptor = try? Descriptor(folder.isEmpty ? "." : folder, O_RDONLY) else {
            return
        }
        fsync(descriptor.number)
    }

    private func makeFolder(_ folder: String) throws(SystemFailure) {
        if folder.isEmpty || access(folder, F_OK) == 0 { return }
        try makeFolder((folder as NSString).deletingLastPathComponent)
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw SystemFailure("mkdir") }
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
