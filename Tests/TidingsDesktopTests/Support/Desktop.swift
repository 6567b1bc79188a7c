// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import TidingsDesktop

/// A desktop without a screen, of one test: `Tests/Support/desktop.py`.
///
/// Whatever it started ends with it, also when the test process crashes.
actor Desktop {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Answers come from a pipe; whoever waits for them may not block the others' threads.
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
            .appendingPathComponent("Support/desktop.py")
        let (toScript, fromScript) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = toScript
        process.standardOutput = fromScript
        try process.run()
        input = toScript.fileHandleForWriting
        output = fromScript.fileHandleForReading
    }

    /// Runs `body` with a desktop and ends it whatever happens.
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

    /// Sends a command and returns its answer.
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
        // It ends with its script. Foundation's own wait can miss the end of a busy machine's process.
        _ = try? output.readToEnd()
        try? output.close()
    }
}

/// What the desktop's script says and hears.
enum JSON: Hashable, Sendable, Codable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral
{
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int(exactly: value) {
                try container.encode(whole)
            } else {
                try container.encode(value)
            }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    subscript(name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    subscript(index: Int) -> JSON {
        if case .array(let elements) = self, elements.indices.contains(index) {
            elements[index]
        } else {
            .null
        }
    }

    var text: String { if case .string(let text) = self { text } else { "" } }
    var integer: Int { if case .number(let number) = self { Int(number) } else { -1 } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
