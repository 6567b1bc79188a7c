// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Detects with inotify whether any program opens a file.
final class FileOpenMonitor {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
            throw SetupError(reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(descriptor)
    }

    /// An error of the setup, such as more than 128 monitors of a user or too many open files.
    struct SetupError: Error {
        let reason: String
    }

    /// Returns whether the file was opened since the last call, or since the monitor was created.
    func wasOpened() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(descriptor, &buffer, buffer.count) > 0
    }
}
