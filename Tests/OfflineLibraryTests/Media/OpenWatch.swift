// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Tells whether any program has opened a file since the watch began.
final class OpenWatch {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
            throw CannotWatch()
        }
    }

    deinit {
        close(descriptor)
    }

    struct CannotWatch: Error {}

    /// Whether the file was opened; asking forgets it.
    func sawOpening() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(descriptor, &buffer, buffer.count) > 0
    }
}
