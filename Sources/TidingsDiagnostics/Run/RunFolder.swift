// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder of this process's own run or of an ended run, exclusively owned by this process.
///
/// The process of a run holds a lock on the folder for its whole life, and the system releases the
/// lock however the process ends. Of all processes that share a directory, only one can own an
/// ended run, and none can acquire the current run of another process.
final class RunFolder: Sendable {
    let path: String
    private let name: String
    private let parent: String
    private let lock: Lock<FileLock?>

    private init(_ name: String, in parent: String, lock: FileLock) {
        path = "\(parent)/\(name)"
        self.name = name
        self.parent = parent
        self.lock = Lock(lock)
    }

    /// Creates the folder of the run that starts in this process.
    ///
    /// The folder gets the final name only when it is complete and locked.
    ///
    /// - Parameters:
    ///   - directory: The folder of all runs. A missing folder is created for its owner only.
    ///   - metadata: The metadata of the run.
    ///   - whenMade: A hook for tests, called before the folder gets the final name.
    /// - Returns: The folder, to be kept for as long as the run continues.
    /// - Throws: The error of the failed system call.
    static func create(
        in directory: String,
        metadata: RunMetadata,
        whenMade: () -> Void = {}
    ) throws(SystemError) -> RunFolder {
        try SystemFile.makeFolder(directory)
        let runs = runsPath(directory)
        try makePrivateFolder(runs)
        let name = RunName.make(metadata)
        let hidden = "\(runs)/\(RunName.newPrefix)\(name)"
        guard mkdir(hidden, 0o700) == 0 else { throw SystemError("mkdir") }
        do throws(SystemError) {
            let lock = try FileLock.create("\(hidden)/\(lockName)")
            try store(metadata, at: "\(hidden)/\(metadataName)")
            whenMade()
            guard rename(hidden, "\(runs)/\(name)") == 0 else { throw SystemError("rename") }
            return RunFolder(name, in: runs, lock: lock)
        } catch {
            try? FileManager.default.removeItem(atPath: hidden)
            throw error
        }
    }

    /// Acquires the folders of ended runs for this process, oldest first.
    ///
    /// The result always includes the newest run, which determines
    /// ``CrashReporter/State/previousRun``. All further places go to the oldest runs.
    ///
    /// - Parameters:
    ///   - directory: The folder of all runs.
    ///   - own: The run of this process, which is skipped.
    ///   - limit: The maximum number of runs. If the result has this size, call again for more.
    ///   - owner: The user whose runs are acquired.
    /// - Returns: The folders, which stay locked until they are removed, released or deallocated.
    static func acquireEnded(
        in directory: String,
        except own: RunFolder? = nil,
        limit: Int = 64,
        owner: uid_t = geteuid()
    ) -> [RunFolder] {
        let runs = runsPath(directory)
        guard FileIdentity(of: runs, S_IFDIR, owner: owner) != nil else { return [] }
        let names = SystemFile.names(in: runs)
        for name in names where name.hasPrefix(".") {
            removeLeftovers(name, in: runs, owner: owner)
        }
        var ended = names.filter { RunName.isValid($0) && $0 != own?.name }.sorted()
        func acquire(_ name: String) -> RunFolder? {
            let path = "\(runs)/\(name)"
            guard FileIdentity(of: path, S_IFDIR, owner: owner) != nil,
                let lock = FileLock.tryAcquire(existing: "\(path)/\(lockName)", owner: owner)
            else { return nil }
            return RunFolder(name, in: runs, lock: lock)
        }
        var newest: RunFolder?
        while newest == nil, let name = ended.popLast() { newest = acquire(name) }
        guard let newest else { return [] }
        var taken: [RunFolder] = []
        for name in ended where taken.count < limit - 1 {
            if let folder = acquire(name) { taken.append(folder) }
        }
        return taken + [newest]
    }

    /// The path of the ``RunFile``.
    var livePath: String { "\(path)/live" }
    /// The path of the list of loaded images.
    var imagesPath: String { "\(path)/images.json" }
    /// The paths of the files that the signal handler writes.
    var capturePaths: [String] { ["\(path)/crash-0.raw", "\(path)/crash-1.raw"] }

    /// Returns the metadata of the run, or the parts in the name if the file cannot be read.
    func metadata() -> RunMetadata {
        SystemFile.read("\(path)/\(Self.metadataName)", limit: Self.metadataLimit)
            .flatMap { RunMetadata(file: $0) } ?? RunMetadata(ofUnreadableRun: name)
    }

    /// The path of the file that counts how often the reading of this run ended the process.
    var attemptsPath: String { "\(path)/attempts" }

    /// Deletes and releases the folder.
    ///
    /// - Returns: False if the folder cannot be deleted. This process then still owns the folder.
    @discardableResult
    func remove() -> Bool {
        let old = "\(parent)/\(RunName.oldPrefix)\(name)"
        // After the rename, the folder no longer counts as a run, even if the files cannot be
        // deleted.
        guard rename(path, old) == 0 || errno == ENOENT else { return false }
        try? FileManager.default.removeItem(atPath: old)
        release()
        return true
    }

    /// Releases the folder, so that the next search for ended runs finds it.
    func release() {
        lock.withLock { $0 = nil }
    }
}

extension RunFolder {
    private static let lockName = "lock"
    private static let metadataName = "run.json"
    private static let metadataLimit = 64 << 10
    /// A folder that is unfinished after this many seconds is abandoned.
    private static let makingTime: TimeInterval = 3_600

    private static func runsPath(_ directory: String) -> String { "\(directory)/runs" }

    /// Creates a folder for its owner only, or checks an existing folder.
    ///
    /// The method throws if the folder belongs to another user.
    private static func makePrivateFolder(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard folder >= 0 else { throw SystemError("open") }
        defer { close(folder) }
        var status = stat()
        guard fstat(folder, &status) == 0 else { throw SystemError("fstat") }
        if status.st_uid != geteuid() {
            errno = EPERM
            throw SystemError("open")
        }
        guard status.st_mode & 0o077 == 0 || fchmod(folder, 0o700) == 0 else {
            throw SystemError("fchmod")
        }
    }

    private static func store(_ metadata: RunMetadata, at path: String) throws(SystemError) {
        guard let data = metadata.fileContent else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        errno = ENOSPC
        let count = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == data.count else { throw SystemError("write") }
    }

    /// Deletes the leftovers of a folder whose creation or removal was interrupted.
    private static func removeLeftovers(_ name: String, in runs: String, owner: uid_t) {
        let path = "\(runs)/\(name)"
        guard FileIdentity(of: path, S_IFDIR, owner: owner) != nil else { return }
        if name.hasPrefix(RunName.newPrefix), RunName.isValid(String(name.dropFirst(5))) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let age = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceNow ?? 0
            guard -age > makingTime else { return }
            let file = "\(path)/\(lockName)"
            let lock = FileLock.tryAcquire(existing: file, owner: owner)
            guard lock != nil || SystemFile.isMissing(file) else { return }
            try? FileManager.default.removeItem(atPath: path)
        } else if name.hasPrefix(RunName.oldPrefix), RunName.isValid(String(name.dropFirst(5))) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
