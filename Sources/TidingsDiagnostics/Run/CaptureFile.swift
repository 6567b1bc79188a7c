// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A file that the signal handler of this run writes a crash into.
enum CaptureFile {
    /// The age in seconds beyond which a capture belongs to a survived crash.
    ///
    /// The handler writes a later crash to the second file.
    private static let writingTime: TimeInterval = 2
    private static let sizeLimit = 1 << 20

    /// Overwrites the capture of a survived crash with zeros, but keeps the allocated space.
    static func clear(_ path: String, at now: Date) {
        guard let bytes = SystemFile.read(path, limit: sizeLimit), let capture = RawCapture(bytes),
            let date = capture.date, now.timeIntervalSince(date) > writingTime
        else { return }
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        // If the overwriting fails, the next start reports the capture as a crash.
        try? SystemFile.write(Data(count: bytes.count), to: file)
    }
}
