// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A folder with copies of files, where each copy is complete or absent.
struct AttachmentFolder: Sendable {
    /// The reason why a file was not copied.
    struct Refusal: Error {
        let reason: NotificationAttachmentNotCopied.Reason
    }

    let path: String

    /// Copies a file.
    ///
    /// The function never waits for or reads anything other than a plain file.
    ///
    /// - Parameters:
    ///   - source: The absolute path of the file.
    ///   - name: The unused name of the copy.
    ///   - limit: The maximum size of the file in bytes.
    ///   - isDurable: Whether to wait for the disk.
    /// - Returns: The size of the copy in bytes.
    /// - Throws: ``Refusal``, and then leaves no copy.
    func copy(
        _ source: String,
        as name: String,
        limit: Int,
        isDurable: Bool
    ) throws(Refusal) -> Int {
        let file = try plainFile(source, limit: limit)
        let size: Int
        do throws(SystemError) {
            size = try write(file, as: name, limit: limit, isDurable: isDurable)
        } catch {
            remove(name)
            throw Refusal(reason: error.isFullDisk ? .noRoom : .failed("\(error)"))
        }
        // The file has grown since the size check.
        if size > limit {
            remove(name)
            throw Refusal(reason: .tooLarge(limit: limit))
        }
        return size
    }

    func remove(_ name: String) {
        unlink("\(path)/\(name)")
    }

    /// The names and sizes of all copies.
    func copies() -> [String: Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.reduce(into: [:]) { sizes, name in
            var status = stat()
            if lstat("\(path)/\(name)", &status) == 0 { sizes[name] = Int(status.st_size) }
        }
    }

    private func plainFile(_ path: String, limit: Int) throws(Refusal) -> FileDescriptor {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw Refusal(reason: .notAFile) }
        let file: FileDescriptor
        do throws(SystemError) {
            // Opening a pipe without a writer would wait, and a link leads to an unchecked place.
            file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        } catch {
            if error.isMissingFile { throw Refusal(reason: .missing) }
            let isOther = error.number == ELOOP || error.number == ENXIO
            throw Refusal(reason: isOther ? .notAFile : .failed("\(error)"))
        }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(reason: .notAFile)
        }
        guard status.st_size <= limit else { throw Refusal(reason: .tooLarge(limit: limit)) }
        return file
    }

    private func write(
        _ file: FileDescriptor,
        as name: String,
        limit: Int,
        isDurable: Bool
    ) throws(SystemError) -> Int {
        try SystemFile.makeFolder(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let copy = try FileDescriptor("\(path)/\(name)", flags)
        let size = try copy.append(file, atMost: limit + 1)
        guard isDurable else { return size }
        try copy.sync()
        try FileDescriptor(path, O_RDONLY | O_DIRECTORY).sync()
        return size
    }
}

extension FileDescriptor {
    /// Appends the content of another file and returns the number of bytes.
    fileprivate func append(_ file: FileDescriptor, atMost limit: Int) throws(SystemError) -> Int {
        if let size = clone(file) { return size }
        var size = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while size < limit {
            let wanted = min(buffer.count, limit - size)
            let count = buffer.withUnsafeMutableBytes { read(file.number, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read") }
            if count == 0 { break }
            try write(buffer[..<count])
            size += count
        }
        return size
    }

    /// Shares the blocks of another file and returns the size, or nil if the disk cannot.
    ///
    /// The files share the blocks until either file changes.
    private func clone(_ file: FileDescriptor) -> Int? {
        #if os(Linux)
        // The value of the macro FICLONE.
        guard ioctl(number, 0x4004_9409, file.number) == 0 else { return nil }
        var status = stat()
        return fstat(number, &status) == 0 ? Int(status.st_size) : nil
        #else
        return nil
        #endif
    }
}
