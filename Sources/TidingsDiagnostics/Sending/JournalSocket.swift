// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import TidingsFiles

/// A datagram socket that is connected to the journal.
struct JournalSocket: ~Copyable {
    private let file: CInt
    private let deadline: ContinuousClock.Instant

    /// Connects to the socket of the journal.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - limit: How long a busy journal may take to accept all entries.
    /// - Throws: The error of the failed system call.
    init(path: String, within limit: Duration) throws(SystemError) {
        deadline = .now + limit
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw SystemError("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected =
            isShort
            && withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    Glibc.connect(file, address, length) == 0
                }
            }
        guard isConnected else {
            let failure =
                isShort
                ? SystemError("connect") : SystemError("connect", path: path, number: ENAMETOOLONG)
            close(file)
            throw failure
        }
        self.file = file
    }

    deinit { close(file) }

    /// Sends an entry as one datagram, or as a sealed file if the entry is too large for a
    /// datagram.
    func send(_ bytes: [UInt8]) throws(SystemError) {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        if whenReady({ Glibc.send(file, bytes, bytes.count, flags) }) == bytes.count { return }
        guard errno == EMSGSIZE || errno == ENOBUFS else { throw SystemError("send") }
        let memory = Self.makeMemory?("tidings-report", 0x3) ?? -1  // CLOEXEC, ALLOW_SEALING
        guard memory >= 0 else { throw SystemError("memfd_create") }
        defer { close(memory) }
        try Self.write(bytes, to: memory)
        // The journal accepts only a file that no process can change any more.
        guard fcntl(memory, Self.addSeals, Self.allSeals) == 0 else { throw SystemError("fcntl") }
        try send(file: memory, flags)
    }

    /// The function of the C library, whose declaration is not imported.
    private static let makeMemory = dlsym(nil, "memfd_create").map { address in
        // Invariant: the C library promises this type of the function.
        unsafeBitCast(
            address,
            to: (@convention(c) (UnsafePointer<CChar>, CUnsignedInt) -> CInt).self
        )
    }
    private static let addSeals: CInt = 1_033  // F_ADD_SEALS
    private static let allSeals: CInt = 0xF  // SEAL, SHRINK, GROW, WRITE

    private static func write(_ bytes: [UInt8], to memory: CInt) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(memory, buffer.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write") }
            done += count
        }
    }

    /// Calls a function again while the journal's queue is full, until the deadline.
    func whenReady<Failure>(_ send: () throws(Failure) -> Int) throws(Failure) -> Int {
        while true {
            let count = try send()
            guard count < 0, errno == EAGAIN else { return count }
            let rest = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard rest > 0 else { return count }
            var wanted = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            poll(&wanted, 1, Int32(rest.rounded(.up)))
            // The caller reads `errno` after the last attempt.
            errno = EAGAIN
        }
    }

    /// Sends an empty message that carries a file.
    private func send(file memory: CInt, _ flags: CInt) throws(SystemError) {
        let head = MemoryLayout<cmsghdr>.size
        // The number of the file follows the head and is padded to a whole word.
        var control = [UInt8](repeating: 0, count: head + 8)
        let sent = control.withUnsafeMutableBytes { control in
            var rights = cmsghdr()
            rights.cmsg_len = head + MemoryLayout<CInt>.size
            rights.cmsg_level = SOL_SOCKET
            rights.cmsg_type = CInt(SCM_RIGHTS)
            control.storeBytes(of: rights, as: cmsghdr.self)
            control.storeBytes(of: memory, toByteOffset: head, as: CInt.self)
            var message = msghdr()
            message.msg_control = control.baseAddress
            message.msg_controllen = control.count
            return whenReady { sendmsg(file, &message, flags) }
        }
        guard sent >= 0 else { throw SystemError("sendmsg") }
    }
}
#endif
