// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The mark of a process that has left the registry whole, which saves the next one the check.
///
/// A process removes the mark while it works, so that only an ordered end leaves one. The mark
/// names the size and the time of the file: a file that anything else has changed or replaced since
/// then is checked. A disk that loses bytes changes neither, so the mark is valid for some days.
struct RegistryMark {
    /// The time after which a registry is checked also without a reason.
    private static let longestTrust: TimeInterval = 7 * 24 * 3_600

    private let files: RegistryFiles
    /// The present time.
    private let now: Date

    init(_ files: RegistryFiles, now: Date = Date()) {
        self.files = files
        self.now = now
    }

    /// Removes the mark and returns the time of the last check; nil if another one is due.
    ///
    /// Call it before SQLite opens the file, which may merge a log into it.
    func take() -> Date? {
        guard let content = SystemFile.read(files.mark, limit: 256),
            (try? SystemFile.remove(files.mark)) == true
        else { return nil }
        let numbers = String(decoding: content, as: UTF8.self).split(separator: " ")
            .compactMap { Int64($0) }
        guard numbers.count == 3, !files.hasLog,
            FileStamp(of: files.registry) == FileStamp(size: numbers[0], modified: numbers[1])
        else { return nil }
        let check = Date(timeIntervalSince1970: Double(numbers[2]))
        // Also after the clock was set back.
        return (0..<Self.longestTrust).contains(now.timeIntervalSince(check)) ? check : nil
    }

    /// Leaves the mark on a file without a log; a mark that cannot be written leads to a check.
    ///
    /// - Parameter check: The time of the last check.
    func leave(checkedAt check: Date) {
        guard !files.hasLog, setOwnTime(), let stamp = FileStamp(of: files.registry) else { return }
        let text = "\(stamp.size) \(stamp.modified) \(Int64(check.timeIntervalSince1970))"
        _ = try? SystemFile.remove(files.mark)
        try? SystemFile.create(files.mark, content: Data(text.utf8))
    }

    /// Gives the file a time that no other change can give it.
    ///
    /// The times of the kernel advance by several milliseconds, so that a change right after the
    /// last one may have the same time.
    private func setOwnTime() -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return utimensat(AT_FDCWD, files.registry, [time, time], AT_SYMLINK_NOFOLLOW) == 0
    }
}
