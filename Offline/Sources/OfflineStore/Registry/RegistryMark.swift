// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The mark that a registry was left whole, which lets the next process skip the check.
///
/// A process removes the mark while working, so that only an orderly exit leaves a mark. The mark
/// records the size and the time of the file. If anything else has changed or replaced the file
/// since then, the next process checks the file. A disk that loses bytes changes neither value, so
/// the mark is valid for only a few days.
struct RegistryMark {
    /// The time after which a registry is checked even without a reason.
    private static let longestTrust: TimeInterval = 7 * 24 * 3_600

    private let files: RegistryFiles
    /// The present time.
    private let now: Date

    init(_ files: RegistryFiles, now: Date = Date()) {
        self.files = files
        self.now = now
    }

    /// Removes the mark and returns the time of the last check, or nil if another check is due.
    ///
    /// Call this method before SQLite opens the file, because SQLite may merge a log into the file.
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
        // A check is also due if the clock was set back.
        return (0..<Self.longestTrust).contains(now.timeIntervalSince(check)) ? check : nil
    }

    /// Leaves the mark for a file without a log.
    ///
    /// If the mark cannot be written, the next process checks the file.
    ///
    /// - Parameter check: The time of the last check.
    func leave(checkedAt check: Date) {
        guard !files.hasLog, setOwnTime(), let stamp = FileStamp(of: files.registry) else { return }
        let text = "\(stamp.size) \(stamp.modified) \(Int64(check.timeIntervalSince1970))"
        _ = try? SystemFile.remove(files.mark)
        try? SystemFile.create(files.mark, content: Data(text.utf8))
    }

    /// Sets a file time that no other change can produce.
    ///
    /// The times of the kernel advance in steps of several milliseconds, so a change right after
    /// the previous one may have the same time.
    private func setOwnTime() -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return utimensat(AT_FDCWD, files.registry, [time, time], AT_SYMLINK_NOFOLLOW) == 0
    }
}
