// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// A regular file that is open for reading.
///
/// Closes the descriptor unless the caller released it.
final class OpenFile: Sendable {
    private let descriptor: Lock<Int32>
    let size: Int64
    /// A strong validator, computed from the size and the modification time.
    let entityTag: String

    private init(descriptor: Int32, size: Int64, entityTag: String) {
        self.descriptor = Lock(descriptor)
        self.size = size
        self.entityTag = entityTag
    }

    deinit {
        let descriptor = releaseDescriptor()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens the regular file `name` in `directory`.
    ///
    /// Returns nil for anything else, such as a link.
    static func open(_ name: String, in directory: String, id: String) -> OpenFile? {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return nil }
        let folder = Foundation.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        // Without `O_NONBLOCK`, a named pipe in the folder would block the thread forever.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(file)
            return nil
        }
        let time = facts.st_mtim
        return OpenFile(
            descriptor: file,
            size: Int64(facts.st_size),
            entityTag: "\"\(id)-\(facts.st_size)-\(time.tv_sec)-\(time.tv_nsec)\""
        )
    }

    /// Transfers the descriptor to the caller, which must close it.
    ///
    /// Returns -1 after the first call.
    func releaseDescriptor() -> Int32 {
        descriptor.withLock { value in
            defer { value = -1 }
            return value
        }
    }
}
