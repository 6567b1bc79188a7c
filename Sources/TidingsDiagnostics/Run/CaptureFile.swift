// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A file that the signal handler of this run writes a crash into.
enum CaptureFile {
    /// A capture older than this many seconds belongs to a survived crash; the handler then uses
    /// the other file.
    private static let writingTime: TimeInterval = 2
    private static let sizeLimit = 1 << 20

    /// Overwrites the capture of a survived crash with zeros; the allocated space remains.
    static func clear(_ path: String, at now: Date) {
        guard let bytes = SystemFile.read(path, limit: sizeLimit), let capture = RawCapture(bytes),
            let date = capture.date, now.timeIntervalSince(date) > writingTime
        else { return }
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        // The next start reports a capture that cannot be overwritten as a crash.
        try? SystemFile.write(Data(count: bytes.count), to: file)
    }
}
