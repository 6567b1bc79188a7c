// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Marks the runs of this process as ended by themselves when it exits, by `exit` or by a return
/// from its main function.
enum CleanExit {
    private struct Marked: Sendable {
        weak let file: RunFile?
        /// A child that was forked has the same files, but its exit is not the run's end.
        let process: pid_t
    }

    private static let files = Lock<[Marked]>([])
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

    private static func markAll() {
        for marked in files.withLock({ $0 }) where marked.process == getpid() {
            marked.file?.markClean()
        }
    }
}
