// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// Marks the runs of this process as ended normally when the process exits, by `exit` or by
/// returning from main.
enum CleanExit {
    struct Registration: Sendable {
        weak let file: RunFile?
        /// The process of the run.
        ///
        /// A forked child has the same files, but the child's exit is not the end of the run.
        let process: pid_t
    }

    static let registrations = Lock<[Registration]>([])
    private static let isRegistered: Bool = atexit { CleanExit.markAll() } == 0

    /// Registers a file to be marked at the exit if the file still exists.
    static func register(_ file: RunFile) {
        _ = isRegistered
        let registration = Registration(file: file, process: getpid())
        let gone = registrations.withLock { registrations in
            defer { registrations = registrations.filter { $0.file != nil } + [registration] }
            return registrations
        }
        withExtendedLifetime(gone) {}
    }

    /// Marks all registered files, with a limit on the time spent waiting.
    ///
    /// The lock may be held by a thread that never continues, or by the code that has called
    /// `exit`.
    private static func markAll() {
        for _ in 0..<attemptLimit {
            let isDone = registrations.withLockIfAvailable { registrations in
                for registration in registrations where registration.process == getpid() {
                    registration.file?.markClean()
                }
                return true
            }
            if isDone == true { return }
            usleep(1_000)
        }
    }

    /// The maximum number of attempts, one per millisecond.
    private static var attemptLimit: Int { 50 }
}
