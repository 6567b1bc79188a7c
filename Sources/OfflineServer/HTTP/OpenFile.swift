// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// A regular file opened for reading; closes itself unless its descriptor was handed on.
final class OpenFile: Sendable {
    private let descriptor: Lock<Int32>
    let size: Int64
    /// A strong validator: changes whenever size or time of change of the file do.
    let entityTag: String

    private init(descriptor: Int32, size: Int64, entityTag: String) {
        self.descriptor = Lock(descriptor)
        self.size = size
        self.entityTag = entityTag
    }

    deinit {
        let descriptor = takeDescriptor()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens `name` inside `directory`, following no link in the last component; nil unless it is a
    /// regular file.
    static func open(_ name: String, in directory: String, id: String) -> OpenFile? {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return nil }
        let folder = Foundation.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        // Without O_NONBLOCK a named pipe put there by somebody would hold the thread for ever.
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

    /// Gives the descriptor to the caller, who closes it; -1 when it was taken before.
    func takeDescriptor() -> Int32 {
        descriptor.withLock { value in
            defer { value = -1 }
            return value
        }
    }
}
