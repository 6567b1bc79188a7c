// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDesktop

/// A headless desktop for one test, run by `Tests/Servers/desktop.py`.
///
/// The processes of a desktop end with the desktop, also when the test process crashes.
actor Desktop {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A separate executor, because reading an answer from the pipe blocks the thread.
    private let executor = BusExecutor(label: "test.desktop")
    private let process = Process()
    private let input: FileHandle
    private let output: FileHandle
    private(set) var address = ""

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init() throws {
        let script = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Servers/desktop.py")
        let (toScript, fromScript) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = toScript
        process.standardOutput = fromScript
        try process.run()
        input = toScript.fileHandleForWriting
        output = fromScript.fileHandleForReading
    }

    /// Runs `body` with a desktop, and ends the desktop when `body` returns or throws.
    ///
    /// A nil `bus` starts no bus.
    static func with<Value: Sendable>(
        bus: [String: String]? = [:],
        _ body: @Sendable (Desktop) async throws -> Value
    ) async throws -> Value {
        let desktop = try Desktop()
        do {
            if let bus { try await desktop.startBus(bus) }
            let value = try await body(desktop)
            await desktop.close()
            return value
        } catch {
            await desktop.close()
            throw error
        }
    }

    /// Sends a command and returns the answer.
    @discardableResult
    func call(_ name: String, _ arguments: JSON = .object([:])) throws -> JSON {
        guard case .object(var command) = arguments else { throw Failure(description: "arguments") }
        command["do"] = .string(name)
        try input.write(contentsOf: JSONEncoder().encode(JSON.object(command)) + [0x0A])
        let answer = try JSONDecoder().decode(JSON.self, from: readLine())
        if case .string(let reason) = answer["error"] {
            throw Failure(description: "\(name): \(reason)")
        }
        return answer
    }

    func startBus(_ settings: [String: String] = [:]) throws {
        let answer = try call("bus", .object(settings.mapValues(JSON.string)))
        address = answer["address"].text
    }

    private func readLine() throws -> Data {
        var line = Data()
        while let byte = try output.read(upToCount: 1), let first = byte.first {
            if first == 0x0A { return line }
            line.append(first)
        }
        throw Failure(description: "desktop.py has ended")
    }

    private func close() {
        try? input.close()
        // The read replaces `waitUntilExit`, which can miss the exit on a busy machine.
        _ = try? output.readToEnd()
        try? output.close()
    }
}
