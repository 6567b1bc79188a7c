// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsCoreFixtures

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
    private let program: ChildProgram
    private(set) var address = ""

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init() throws {
        let script = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Servers/desktop.py")
        program = try ChildProgram(["python3", script.path])
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
        try program.write(JSONEncoder().encode(JSON.object(command)) + [0x0A])
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
        guard let line = program.readLine() else {
            throw Failure(description: "desktop.py has ended")
        }
        return Data(line.utf8)
    }

    private func close() {
        program.closeInput()
        _ = program.readToEnd()
        program.waitUntilExit()
    }
}
