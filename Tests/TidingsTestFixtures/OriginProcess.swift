// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// The process of `origin.py` that all servers of a test process share.
///
/// Starting Python takes longer than most tests.
final class OriginProcess: Sendable {
    static let shared = Result { try OriginProcess() }

    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private let pipeLock = Mutex(())

    private init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Servers/origin.py")
        let (toServer, fromServer) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = toServer
        process.standardOutput = fromServer
        try process.run()
        input = toServer.fileHandleForWriting
        output = fromServer.fileHandleForReading
        _ = try readLine()
    }

    /// Starts a server and returns the address.
    func startServer() throws -> String {
        try pipeLock.withLock { _ in
            try input.write(contentsOf: Data("another\n".utf8))
            return try readLine()
        }
    }

    private func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Stops a server.
    func closeServer(port: Int) throws {
        try pipeLock.withLock { _ in
            try input.write(contentsOf: Data("close \(port)\n".utf8))
        }
    }
}
