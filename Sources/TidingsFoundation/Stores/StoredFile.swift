// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A call that the system refused.
struct SystemFailure: Error, CustomStringConvertible {
    let operation: String
    let number: CInt

    init(_ operation: String) {
        self.operation = operation
        number = errno
    }

    var isFullDisk: Bool { number == ENOSPC || number == EDQUOT }
    var description: String { "\(operation): \(String(cString: strerror(number)))" }
}

/// A small file that is always whole, and its neighbours.
///
/// It is replaced by renaming another one onto it, after that has reached the disk: whoever reads
/// it, at whatever moment the program was killed, finds the old content or the new.
struct StoredFile: Sendable {
    private static let lastNumber = Atomic(0)

    let path: String
    /// Unlike that of any other one in this process.
    private let number = lastNumber.add(1, ordering: .relaxed).newValue
    /// Where a new content is written first; of this one alone, for another may be of the same file.
    private var part: String { "\(path).part-\(getpid())-\(number)" }
    private var folder: String { (path as NSString).deletingLastPathComponent }
    private var name: String { (path as NSString).lastPathComponent }

    init(path: String) {
        self.path = path
    }

    /// Returns the content; nil if there is no file.
    ///
    /// More than `limit` bytes mean that there are more.
    func read(limit: Int) throws(SystemFailure) -> Data? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if file < 0 {
            let failure = SystemFailure("open")
            if failure.number == ENOENT || failure.number == ENOTDIR { return nil }
            throw failure
        }
        defer { close(file) }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while content.count <= limit {
            let count = buffer.withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFailure("read") }
            if count == 0 { break }
            content.append(contentsOf: buffer[..<count])
        }
        return content
    }

    /// Replaces the content and waits for the disk.
    func replace(with content: Data) throws(SystemFailure) {
        try makeFolder(folder)
        removeStrayParts()
        do throws(SystemFailure) {
            try write(content)
            try rename(part, to: path)
        } catch {
            unlink(part)
            throw error
        }
        syncFolder()
    }

    /// Moves the file out of the way, under a name that says why.
    func setAside(as reason: String) throws(SystemFailure) {
        // One more of its kind does not replace the first ones; somebody may want to look.
        let names = (1...9).map { $0 == 1 ? "\(path).\(reason)" : "\(path).\(reason)-\($0)" }
        try rename(path, to: names.first { access($0, F_OK) != 0 } ?? names[8])
    }

    /// Removes the file and everything that was ever set aside or left over from it.
    func remove() throws(SystemFailure) {
        for neighbour in neighbours { unlink(neighbour) }
        if unlink(path) != 0 {
            let failure = SystemFailure("unlink")
            if failure.number != ENOENT, failure.number != ENOTDIR { throw failure }
        }
        syncFolder()
    }

    private func write(_ content: Data) throws(SystemFailure) {
        unlink(part)
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemFailure("open") }
        defer { close(file) }
        try Self.write(content, to: file)
        guard fsync(file) == 0 else { throw SystemFailure("fsync") }
    }

    /// Writes all of the content.
    static func write(_ content: Data, to file: CInt) throws(SystemFailure) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure("write") }
            rest = rest.dropFirst(count)
        }
    }

    private func rename(_ old: String, to new: String) throws(SystemFailure) {
        guard Foundation.rename(old, new) == 0 else { throw SystemFailure("rename") }
    }

    /// Makes the new name last.
    ///
    /// What cannot be synced is whole all the same.
    private func syncFolder() {
        let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        close(file)
    }

    private func makeFolder(_ folder: String) throws(SystemFailure) {
        if folder.isEmpty || access(folder, F_OK) == 0 { return }
        try makeFolder((folder as NSString).deletingLastPathComponent)
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw SystemFailure("mkdir") }
    }

    /// Removes what programs have left over that were killed while they wrote.
    private func removeStrayParts() {
        for part in neighbours {
            let suffix = part.dropFirst(path.count + 1)
            guard suffix.hasPrefix("part-") else { continue }
            let maker = suffix.dropFirst(5).prefix { $0 != "-" }
            guard let process = pid_t(maker) else { continue }
            if process > 0, kill(process, 0) != 0, errno == ESRCH { unlink(part) }
        }
    }

    /// The paths of files that were made beside this one.
    private var neighbours: [String] {
        let folder = folder.isEmpty ? "." : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { isNeighbour($0) }.map { path.dropLast(name.count) + $0 }
    }

    /// Whether a name beside this one is of a kind that is made here, and not of somebody else.
    private func isNeighbour(_ other: String) -> Bool {
        guard other.hasPrefix("\(name).") else { return false }
        let words = other.dropFirst(name.count + 1).split(separator: "-", maxSplits: 2)
        guard let kind = words.first, ["part", "damaged", "version"].contains(kind) else {
            return false
        }
        return words.dropFirst().allSatisfy { $0.allSatisfy(\.isWholeNumber) }
    }
}
