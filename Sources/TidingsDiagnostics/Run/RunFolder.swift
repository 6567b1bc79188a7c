// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder of one run, which this process has for its own: it is its run, or one that ended.
///
/// A run's process keeps a lock on it for life, and the system gives that back however the process
/// ends. So of all processes that share a directory one at a time has a run, and nobody another
/// one's that lives.
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

    /// Makes the folder of the run that begins in this process.
    ///
    /// It has its name from the moment on that everything is in it and it is locked.
    ///
    /// - Parameters:
    ///   - directory: Where all runs are; made, for its owner alone, when it is not there.
    ///   - facts: What is known of the run.
    ///   - whenMade: What tests do just before it has its name.
    /// - Returns: The folder; keep it for as long as the run goes on.
    /// - Throws: What the system refused.
    static func create(
        in directory: String,
        facts: RunFacts,
        whenMade: () -> Void = {}
    ) throws(SystemError) -> RunFolder {
        try SystemFile.makeFolder(directory)
        let runs = runsPath(directory)
        try makeOwn(runs)
        let name = RunName.make(facts)
        let hidden = "\(runs)/\(RunName.newPrefix)\(name)"
        guard mkdir(hidden, 0o700) == 0 else { throw SystemError("mkdir") }
        do throws(SystemError) {
            let lock = try FileLock.make("\(hidden)/\(lockName)")
            try store(facts, at: "\(hidden)/\(factsName)")
            whenMade()
            guard rename(hidden, "\(runs)/\(name)") == 0 else { throw SystemError("rename") }
            return RunFolder(name, in: runs, lock: lock)
        } catch {
            try? FileManager.default.removeItem(atPath: hidden)
            throw error
        }
    }

    /// Takes the runs whose processes have ended, each for this process alone, the oldest first.
    ///
    /// The newest is always among them, as it tells how the run before this one ended; of the
    /// others those that have waited longest.
    ///
    /// - Parameters:
    ///   - directory: Where all runs are.
    ///   - own: The run of this process; it is never among them.
    ///   - limit: How many are taken at most; call again when that many came.
    ///   - owner: Whose runs they are.
    /// - Returns: The runs; each is taken until it is removed, released or forgotten.
    static func takeEnded(
        in directory: String,
        except own: RunFolder? = nil,
        limit: Int = 64,
        owner: uid_t = geteuid()
    ) -> [RunFolder] {
        let runs = runsPath(directory)
        guard FileIdentity(of: runs, S_IFDIR, owner: owner) != nil else { return [] }
        let names = SystemFile.names(in: runs)
        for name in names where name.hasPrefix(".") { sweep(name, in: runs, owner: owner) }
        var ended = names.filter { RunName.isOne($0) && $0 != own?.name }.sorted()
        func take(_ name: String) -> RunFolder? {
            let path = "\(runs)/\(name)"
            guard FileIdentity(of: path, S_IFDIR, owner: owner) != nil,
                let lock = FileLock.take("\(path)/\(lockName)", owner: owner)
            else { return nil }
            return RunFolder(name, in: runs, lock: lock)
        }
        var newest: RunFolder?
        while newest == nil, let name = ended.popLast() { newest = take(name) }
        guard let newest else { return [] }
        var taken: [RunFolder] = []
        for name in ended where taken.count < limit - 1 {
            if let folder = take(name) { taken.append(folder) }
        }
        return taken + [newest]
    }

    /// Where the ``RunFile`` is.
    var livePath: String { "\(path)/live" }
    /// Where the images of the process are listed.
    var imagesPath: String { "\(path)/images.json" }
    /// Where the signal handler writes.
    var capturePaths: [String] { ["\(path)/crash-0.raw", "\(path)/crash-1.raw"] }

    /// What was known of the run when it began; nil when it cannot be read.
    func facts() -> RunFacts? {
        guard let data = SystemFile.read("\(path)/\(Self.factsName)", limit: Self.factsLimit),
            var facts = try? JSONDecoder().decode(RunFacts.self, from: data)
        else { return nil }
        facts.started = Date(recorded: facts.started.timeIntervalSinceReferenceDate.bitPattern)
        return facts
    }

    /// Counts that somebody is about to make reports of the run.
    ///
    /// - Returns: How often that was so, this time included; 1 when it cannot be counted.
    func beginAttempt() -> Int {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = open("\(path)/attempts", flags, 0o600)
        guard file >= 0 else { return 1 }
        defer { close(file) }
        var status = stat()
        let mark = String(repeating: "+", count: Self.attemptWeight)
        guard write(file, mark, Self.attemptWeight) == Self.attemptWeight,
            fstat(file, &status) == 0
        else { return 1 }
        return max(1, Int(status.st_size) / Self.attemptWeight)
    }

    /// Says that the process ended by itself during an attempt, and not by it.
    ///
    /// It counts a little all the same: what never comes to an end must not be tried for ever.
    func forgiveAttempt() {
        let file = open("\(path)/attempts", O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        let rest = Self.attemptWeight - 1
        guard fstat(file, &status) == 0, status.st_size > rest else { return }
        ftruncate(file, status.st_size - off_t(rest))
    }

    /// Says that an attempt has failed for a reason that will pass.
    func forgetAttempts() {
        unlink("\(path)/attempts")
    }

    /// Deletes the folder and gives it back.
    ///
    /// - Returns: False when it cannot be deleted; then this process keeps it.
    @discardableResult
    func remove() -> Bool {
        let old = "\(parent)/\(RunName.oldPrefix)\(name)"
        // From here on it is no run any more, whatever becomes of the files.
        guard rename(path, old) == 0 || errno == ENOENT else { return false }
        try? FileManager.default.removeItem(atPath: old)
        release()
        return true
    }

    /// Gives the folder back; who looks for ended runs finds it.
    func release() {
        lock.withLock { $0 = nil }
    }
}

extension RunFolder {
    private static let lockName = "lock"
    private static let factsName = "run.json"
    private static let factsLimit = 64 << 10
    /// How many bytes an attempt adds to their count; one stays of it when it is forgiven.
    private static let attemptWeight = 8
    /// After so long nobody makes a folder any more.
    private static let makingTime: TimeInterval = 3_600

    private static func runsPath(_ directory: String) -> String { "\(directory)/runs" }

    /// Makes a folder for its owner alone, unless it is there; one of somebody else is no such.
    private static func makeOwn(_ path: String) throws(SystemError) {
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

    private static func store(_ facts: RunFacts, at path: String) throws(SystemError) {
        guard let data = try? JSONEncoder().encode(facts) else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        errno = ENOSPC
        let count = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == data.count else { throw SystemError("write") }
    }

    /// Deletes what is left of a folder whose maker or remover has ended.
    private static func sweep(_ name: String, in runs: String, owner: uid_t) {
        let path = "\(runs)/\(name)"
        guard FileIdentity(of: path, S_IFDIR, owner: owner) != nil else { return }
        if name.hasPrefix(RunName.newPrefix), RunName.isOne(String(name.dropFirst(5))) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let age = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceNow ?? 0
            guard -age > makingTime else { return }
            let file = "\(path)/\(lockName)"
            let lock = FileLock.take(file, owner: owner)
            guard lock != nil || SystemFile.isMissing(file) else { return }
            try? FileManager.default.removeItem(atPath: path)
        } else if name.hasPrefix(RunName.oldPrefix), RunName.isOne(String(name.dropFirst(5))) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
