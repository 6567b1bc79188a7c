// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A named pipe that detects the start and the exit of a program with an open write end.
final class ProcessLifetimePipe: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw SetupError() }
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    struct SetupError: Error {}

    /// Waits until the program has written to the pipe, and returns false after four minutes.
    func waitForStart() async -> Bool {
        await onThread { self.readOnce().map { $0 > 0 } ?? false }
    }

    /// Waits until no process holds the write end, and returns false after four minutes.
    func waitForExit() async -> Bool {
        await onThread {
            while let count = self.readOnce() {
                if count == 0 { return true }
            }
            return false
        }
    }

    private func readOnce() -> Int? {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 240_000) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64)
        return read(descriptor, &buffer, buffer.count)
    }

    private func onThread(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
