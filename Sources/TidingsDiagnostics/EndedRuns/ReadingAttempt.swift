// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

#if os(Linux)
import CTidingsCrash
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An attempt to read the records of an ended run, which may end the process.
///
/// If this process captures crashes, the signal handler counts the attempt as failed only if the
/// reading thread itself crashes. The records are not at fault if the process crashes elsewhere, is
/// killed or exits. Without a handler the reason is unknown, so each interrupted attempt counts as
/// one eighth, unless the process exits normally.
final class ReadingAttempt: Sendable {
    /// The number of bytes that a failed attempt adds to the file.
    private static let weight = 8

    /// The number of failed attempts before this one.
    let failedBefore: Int
    private let path: String
    /// The open file, or nil after the end.
    private let file: Lock<Int32?>
    private let isWatched: Bool

    /// Starts an attempt, to be ended with ``end()`` on the same thread.
    ///
    /// - Parameters:
    ///   - folder: The folder of the run.
    ///   - isWatched: Whether this process captures crashes.
    init(_ folder: RunFolder, isWatched: Bool) {
        path = folder.attemptsPath
        self.isWatched = isWatched
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = open(path, flags, 0o600)
        var status = stat()
        failedBefore = fstat(file, &status) == 0 ? Int(status.st_size) / Self.weight : 0
        self.file = Lock(file >= 0 ? file : nil)
        guard file >= 0 else { return }
        #if os(Linux)
        if isWatched {
            // A stack overflow of the reading counts too.
            try? SignalStack.install()
            tidings_crash_reads(file)
            return
        }
        #endif
        _ = write(file, "-", 1)
    }

    /// Ends the attempt, which then does not count.
    ///
    /// Further calls have no effect.
    func end() {
        let file = file.withLock { file in
            defer { file = nil }
            return file
        }
        guard let file else { return }
        defer { close(file) }
        #if os(Linux)
        if isWatched { return tidings_crash_reads(-1) }
        #endif
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 0 else { return }
        ftruncate(file, status.st_size - 1)
    }
}
