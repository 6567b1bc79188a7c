// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file in which the signal handler of this run may write.
enum CaptureFile {
    /// After so long a crash was survived, and the handler writes elsewhere.
    private static let writingTime: TimeInterval = 2
    private static let sizeLimit = 1 << 20

    /// Overwrites a crash that was survived; the space stays.
    static func clear(_ path: String, at now: Date) {
        guard let bytes = SystemFile.read(path, limit: sizeLimit), let capture = RawCapture(bytes),
            let date = capture.date, now.timeIntervalSince(date) > writingTime
        else { return }
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        // What cannot be overwritten is reported with the next start, as a crash is.
        try? SystemFile.write(Data(count: bytes.count), to: file)
    }
}
