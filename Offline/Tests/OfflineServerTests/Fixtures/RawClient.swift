// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A client that sends exactly the given bytes, even an invalid request.
struct RawClient: Sendable {
    /// The status, the head and the body of a response.
    struct Response: Sendable {
        var status: Int
        var head: String
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").lazy
                .map { $0.split(separator: ":", maxSplits: 1) }
                .first { $0.count == 2 && $0[0].lowercased() == name.lowercased() }
                .map { $0[1].trimmingCharacters(in: .whitespaces) }
        }
    }

    /// An error thrown when a response has not arrived within ten minutes.
    struct Incomplete: Error {
        var received: String
    }

    let port: UInt16

    /// Sends a request with these lines and reads until the server closes the connection.
    func send(_ lines: [String], body: [UInt8] = []) async throws -> Response {
        let head = (lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
        return Self.parse(try await exchange([UInt8](head.utf8) + body) { _ in false })
    }

    /// Sends bytes and reads until `isComplete` returns true or the connection closes.
    func exchange(
        _ bytes: [UInt8],
        until isComplete: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> [UInt8] {
        let port = port
        // A separate thread waits, because the server responds on the threads that tests run on.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.run(port, bytes, isComplete) })
            }
        }
    }

    static func parse(_ bytes: [UInt8]) -> Response {
        let text = String(decoding: bytes, as: UTF8.self)
        let head = text.components(separatedBy: "\r\n\r\n").first ?? ""
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Response(
            status: status,
            head: head,
            body: Array(bytes.dropFirst(head.utf8.count + 4))
        )
    }

    /// Returns the text of a possibly unfinished response without the sizes of the chunks.
    ///
    /// A size may stand within a word. The size of the empty last chunk stays in the text.
    static func joined(_ bytes: [UInt8]) -> String {
        let response = parse(bytes)
        var body: [UInt8] = []
        var rest = response.body[...]
        while let line = rest.firstRange(of: [13, 10]),
            let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
            size > 0
        {
            body += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size + 2)
        }
        return response.head + "\r\n\r\n" + String(decoding: body + rest, as: UTF8.self)
    }

    private static func run(
        _ port: UInt16,
        _ bytes: [UInt8],
        _ isComplete: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.ENOTSOCK) }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // A missing event must fail the test, even while keep-alive comments arrive.
        let deadline = ContinuousClock.now + .seconds(600)
        while !isComplete(received), ContinuousClock.now < deadline {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else { return received }
            received.append(contentsOf: buffer[..<count])
        }
        if isComplete(received) { return received }
        throw Incomplete(received: String(decoding: received, as: UTF8.self))
    }
}
