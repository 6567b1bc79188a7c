// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A socket in place of the journal's socket, and a parser of the protocol.
final class JournalFixture: Sendable {
    /// The fields of an entry, and the seals of the entry's file, or nil for a datagram.
    struct Entry {
        let fields: [String: [UInt8]]
        let seals: CInt?

        subscript(_ name: String) -> String? {
            fields[name].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private let folder: String
    let path: String
    private let file: CInt

    init() throws {
        // The name is short, because the path of a socket has at most 107 bytes.
        var name = Array((NSTemporaryDirectory() + "/journal-XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemError("mkdtemp") }
        folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = folder + "/socket"
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0
            }
        }
        guard isBound else { throw SystemError("bind") }
    }

    deinit {
        close(file)
        unlink(path)
        rmdir(folder)
    }

    /// Returns the next entry, which must already have been sent.
    func next() throws -> Entry {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var control = [UInt8](repeating: 0, count: 64)
        var carried: CInt?
        let count = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let count = recvmsg(file, &message, Int32(MSG_DONTWAIT))
                    let head = MemoryLayout<cmsghdr>.size
                    if message.msg_controllen > head {
                        carried = control.load(fromByteOffset: head, as: CInt.self)
                    }
                    return count
                }
            }
        }
        guard count >= 0 else { throw SystemError("recvmsg") }
        guard let carried else { return try Self.entry(Array(bytes[..<count]), seals: nil) }
        let memory = FileHandle(fileDescriptor: carried, closeOnDealloc: true)
        try memory.seek(toOffset: 0)
        let content = try memory.readToEnd() ?? Data()
        return try Self.entry(Array(content), seals: fcntl(carried, 1_034, 0))  // F_GET_SEALS
    }

    private struct Malformed: Error {}

    private static func entry(_ bytes: [UInt8], seals: CInt?) throws -> Entry {
        var fields: [String: [UInt8]] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x3D }) else {
                throw Malformed()
            }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let isLong = rest[end] == 0x0A
            rest = rest[(end + 1)...]
            let value: ArraySlice<UInt8>
            if isLong {
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                value = rest.dropFirst(8).prefix(length)
                rest = rest.dropFirst(8 + length)
            } else {
                value = rest.prefix { $0 != 0x0A }
                rest = rest.dropFirst(value.count)
            }
            guard rest.first == 0x0A, fields[name] == nil else { throw Malformed() }
            rest = rest.dropFirst()
            fields[name] = Array(value)
        }
        return Entry(fields: fields, seals: seals)
    }
}
