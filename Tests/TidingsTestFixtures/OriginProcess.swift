// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TidingsCoreFixtures

/// The process of `origin.py` that all servers of a test process share.
///
/// Starting Python takes longer than most tests.
final class OriginProcess: Sendable {
    static let shared = Result { try OriginProcess() }

    private let program: ChildProgram
    private let pipeLock = Mutex(())

    private init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Servers/origin.py")
        program = try ChildProgram(["python3", script.path])
        _ = program.readLine()
    }

    /// Starts a server and returns the address.
    func startServer() throws -> String {
        try pipeLock.withLock { _ in
            try program.write("another\n".utf8)
            return program.readLine() ?? ""
        }
    }

    /// Stops a server.
    func closeServer(port: Int) throws {
        try pipeLock.withLock { _ in
            try program.write("close \(port)\n".utf8)
        }
    }
}
