// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsCoreFixtures

/// A program in another language that reads the transport's frames and writes frames for it.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ForeignClientTests {
    private struct Line: Decodable {
        let subject: String
        let headers: [String: String]
        let body: String
    }

    @Test func aPythonClientReadsAndWritesTheSpace() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let sent = frames(0..<20, subject: "shop.orders.Straße")
        try await connection.publish(sent)
        _ = try await connection.acknowledgements(count: 20)

        let lines = try python("nats_client.py", server.address, "shop", "20")
            .split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.body) == (0..<20).map { "row \($0)" })
        #expect(lines.allSatisfy { $0.subject == "shop.orders.Straße" })
        #expect(lines.map { $0.headers["Tidings-Id"] } == (0..<20).map { "test-\($0)" })
        #expect(lines.allSatisfy { $0.headers["Tidings-Type"] == "orders" })

        let reader = try await connection.read(from: .beginning, SubjectFilter("shop.answers.>"))
        let answers = try await reader.frames(count: 20, atMost: 20)
        #expect(answers.map(\.frame.headers.id) == (0..<20).map { "python-\($0)" })
        #expect(answers.map(\.frame.body) == sent.map(\.frame.body))
    }

    /// Runs a program of Tests/Servers with the tests' own Python and returns its output.
    private func python(_ program: String, _ arguments: String...) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().resolvingSymlinksInPath()
        let python = tests.deletingLastPathComponent().path + "/.build/venv/bin/python"
        return try ChildProgram.output(
            of: [python, "\(tests.path)/Servers/\(program)"] + arguments
        )
    }
}
#endif
