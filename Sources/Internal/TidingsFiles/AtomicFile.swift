// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// A small file that is replaced in one step.
///
/// A reader finds either the old or the new content, even if a writer is killed at any moment. The
/// new content reaches the disk under another name before the new file replaces the old one. Only
/// the owner can read the file. Every call blocks for the disk.
package struct AtomicFile: Sendable {
    private static let lastNumber = Atomic(0)

    /// The path of the file.
    package let path: String
    /// The number that distinguishes the parts of this value from parts of other values for the
    /// same file.
    private let number = lastNumber.add(1, ordering: .relaxed).newValue
    private let isLocked: Bool
    /// The path of the new content.
    ///
    /// Under a lock the part has one name, so that the next writer overwrites the part of a killed
    /// writer.
    private var part: String {
        isLocked ? "\(path).part" : "\(path).part-\(getpid())-\(number)"
    }
    private var folder: String { (path as NSString).deletingLastPathComponent }
    private var name: String { (path as NSString).lastPathComponent }

    /// Names a file, without reading or writing yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isLocked: Whether the caller holds a lock that excludes other writers. Without a lock,
    ///     any number of writers may replace the file.
    package init(path: String, isLocked: Bool = false) {
        self.path = path
        self.isLocked = isLocked
    }

    /// Opens the file, or returns nil if there is none.
    package func open() throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) {
            return try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        } catch {
            if error.isMissingFile { return nil }
            throw error
        }
    }

    /// Returns the content, or nil if the file does not exist.
    ///
    /// A result of more than `limit` bytes means that the file is too large.
    package func read(limit: Int) throws(SystemError) -> Data? {
        try open()?.content(limit: limit)
    }

    /// Replaces the content, creates the folder if necessary, and returns after the disk has both.
    package func replace(with content: Data) throws(SystemError) {
        try SystemFile.makeFolder(folder)
        if isLocked { unlink(part) } else { removeStrayParts() }
        do throws(SystemError) {
            try SystemFile.create(part, content: content)
            try SystemFile.rename(part, to: path)
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Renames the file to `NAME.REASON`, or to `NAME.REASON-2` and so on if that name exists.
    ///
    /// - Parameters:
    ///   - reason: The suffix of the new name.
    ///   - limit: The highest number. After that, the last file is replaced.
    /// - Returns: The new path.
    /// - Throws: `SystemError`.
    @discardableResult
    package func setAside(
        as reason: String,
        limit: Int = .max
    ) throws(SystemError) -> String {
        var place = "\(path).\(reason)"
        var number = 1
        while number < limit, SystemFile.exists(place) {
            number += 1
            place = "\(path).\(reason)-\(number)"
        }
        try SystemFile.rename(path, to: place)
        return place
    }

    /// Removes the file with all parts and files set aside.
    package func remove() throws(SystemError) {
        for neighbor in neighbors { unlink(neighbor) }
        try SystemFile.remove(path)
        SystemFile.syncFolder(folder)
    }

    /// Removes the parts of processes that were killed during a write.
    private func removeStrayParts() {
        for part in neighbors {
            let suffix = part.dropFirst(path.count + 1)
            guard suffix.hasPrefix("part") else { continue }
            let writer = suffix.dropFirst(5).prefix { $0 != "-" }
            guard let process = pid_t(writer) else { continue }
            if process > 0, kill(process, 0) != 0, errno == ESRCH { unlink(part) }
        }
    }

    /// The paths of the files that this type made beside the file.
    private var neighbors: [String] {
        SystemFile.names(in: folder.isEmpty ? "." : folder)
            .filter(isNeighbor)
            .map { path.dropLast(name.count) + $0 }
    }

    private func isNeighbor(_ other: String) -> Bool {
        guard other.hasPrefix("\(name).") else { return false }
        let words = other.dropFirst(name.count + 1).split(separator: "-", maxSplits: 2)
        guard let kind = words.first, ["part", "damaged", "version"].contains(kind) else {
            return false
        }
        return words.dropFirst().allSatisfy { $0.allSatisfy(\.isWholeNumber) }
    }
}
