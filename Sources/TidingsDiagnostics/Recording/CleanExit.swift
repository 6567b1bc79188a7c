// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Marks the runs of this process as ended by themselves when it exits, by `exit` or by a return
/// from its main function.
enum CleanExit {
    struct Marked: Sendable {
        weak let file: RunFile?
        /// A child that was forked has the same files, but its exit is not the run's end.
        let process: pid_t
    }

    static let files = Lock<[Marked]>([])
    private static let isRegistered: Bool = atexit { CleanExit.markAll() } == 0

    /// Marks a file at the exit if it is still there.
    static func mark(_ file: RunFile) {
        _ = isRegistered
        let marked = Marked(file: file, process: getpid())
        let gone = files.withLock { files in
            defer { files = files.filter { $0.file != nil } + [marked] }
            return files
        }
        withExtendedLifetime(gone) {}
    }

    /// Whoever has the lock may be a thread that never goes on, or what has called `exit`.
    private static func markAll() {
        for _ in 0..<patience {
            let isDone = files.withLockIfAvailable { files in
                for marked in files where marked.process == getpid() { marked.file?.markClean() }
                return true
            }
            if isDone == true { return }
            usleep(1_000)
        }
    }

    /// In milliseconds.
    private static var patience: Int { 50 }
}
