// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A call that the system refused.
struct SystemFailure: Error, CustomStringConvertible {
    let operation: String
    let number: CInt

    init(_ operation: String) {
        self.operation = operation
        number = errno
    }

    /// Whether there is no room; a limit for the size of files is that as well.
    var isFullDisk: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
    var isBusy: Bool { number == EWOULDBLOCK }
    var isMissingFile: Bool { number == ENOENT || number == ENOTDIR }
    var description: String { "\(operation): \(String(cString: strerror(number)))" }
}

/// A file that is open until nobody has it any more.
final class Descriptor: Sendable {
    let number: CInt

    init(
        _ path: String,
        _ flags: CInt,
        _ rights: mode_t = 0o600
    ) throws(SystemFailure) {
        number = open(path, flags | O_CLOEXEC, rights)
        guard number >= 0 else { throw SystemFailure("open") }
    }

    deinit { if number >= 0 { Foundation.close(number) } }

    /// Reads everything from the beginning.
    func content() throws(SystemFailure) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let place = off_t(content.count)
            let count = buffer.withUnsafeMutableBytes {
                pread(number, $0.baseAddress, $0.count, place)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFailure("read") }
            if count == 0 { return content }
            content.append(contentsOf: buffer[..<count])
        }
    }

    /// Writes all of the content and waits for the disk.
    func write(_ content: Data) throws(SystemFailure) {
        try put(content)
        try sync()
    }

    /// Writes all of the content where the last write has ended.
    func put<Content: ContiguousBytes & Collection>(
        _ content: Content
    ) throws(SystemFailure) where Content.SubSequence: ContiguousBytes {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure("write") }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the disk has everything.
    func sync() throws(SystemFailure) {
        guard fsync(number) == 0 else { throw SystemFailure("fsync") }
    }
}
