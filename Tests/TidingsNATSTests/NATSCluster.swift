// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import TidingsBridge
import TidingsNATS

/// Three servers that store each frame of a stream three times.
///
/// The servers connect to each other over an address of the loopback network that no other cluster
/// uses, because each server must know the ports of all servers before the first start.
final class NATSCluster: Sendable {
    private struct Answer: Decodable {
        struct Cluster: Decodable {
            let leader: String?
        }

        let cluster: Cluster?
    }

    let servers: [NATSServer]

    /// Starts the servers.
    ///
    /// A leader is elected later.
    init() async throws {
        let host = try OwnLoopbackHost.reserve()
        let routes = (0..<3).map { "\"nats-route://\(host):\(6_222 + $0)\"" }
            .joined(separator: ", ")
        let lines = (0..<3).map { number in
            """
            server_name: s\(number)
            cluster { name: tidings, listen: "\(host):\(6_222 + number)", routes: [\(routes)] }
            """
        }
        servers = try await withThrowingTaskGroup(of: (Int, NATSServer).self) { group in
            for (number, settings) in lines.enumerated() {
                group.addTask { (number, try await NATSServer(settings)) }
            }
            var started: [Int: NATSServer] = [:]
            for try await (number, server) in group { started[number] = server }
            return started.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Settings that store each frame on all servers, with limits that notice an election.
    static var configuration: NATSConfiguration {
        var configuration = NATSConfiguration()
        configuration.connectTimeout = .seconds(30)
        configuration.answerTimeout = .seconds(1)
        configuration.stream.replicas = 3
        return configuration
    }

    /// Connects to any of the servers.
    var transport: NATSTransport {
        NATSTransport(anyOf: servers.map(\.address), Self.configuration)
    }

    /// Returns the server that leads the stream of a space, after a leader is elected.
    func leader(of space: String) async throws -> NATSServer {
        while true {
            // During an election, and on a busy machine, the answer may take longer than the limit.
            if let server = try? await presentLeader(of: space) { return server }
            try Task.checkCancellation()
        }
    }

    private func presentLeader(of space: String) async throws -> NATSServer {
        let connection = try await transport.connect(to: space, epoch: 1)
        defer { connection.close() }
        let answers = try await connection.subscribe(to: SubjectFilter("leader"), group: nil)
        // The connection has no echo of its own frames, but the server's answers are not an echo.
        let request = BridgeFrame(
            subject: "$JS.API.STREAM.INFO.\(space)",
            replySubject: "leader"
        )
        try await connection.send([request])
        guard let frame = try await answers.next(atMost: 1).first else { throw CancellationError() }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(frame.body))
        let number = answer.cluster?.leader.flatMap { Int($0.dropFirst()) }
        guard let number else { throw NATSServer.Failure(text: "\(space) has no leader") }
        return servers[number]
    }
}
#endif
