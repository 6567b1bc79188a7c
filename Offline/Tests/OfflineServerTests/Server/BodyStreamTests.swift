// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import OfflineServer

/// Tests of bodies that a receiver takes piece by piece.
@Suite(.timeLimit(.minutes(15)))
struct BodyStreamTests {
    /// A receiver that takes each piece when a gate opens.
    private final class Receiver: BodyReceiver {
        let gate = Gate()
        let isRefusing: Bool
        private let taken = Lock(0)
        private let ends = Lock<CheckedContinuation<Void, Never>?>(nil)

        init(isRefusing: Bool = false) { self.isRefusing = isRefusing }

        func begin() async -> ServerResponse? {
            try? await gate.wait()
            return nil
        }

        func receive(_ bytes: [UInt8]) -> ServerResponse? {
            taken.withLock { $0 += bytes.count }
            return isRefusing ? .failure(507, "diskFull", message: "Full.") : nil
        }

        func end() async -> ServerResponse { .json(taken.withLock { $0 }) }

        func cancel() { ends.withLock { $0 }?.resume() }

        /// Returns after `cancel`, which `work` causes.
        func cancelled(after work: () -> Void) async {
            await withCheckedContinuation { continuation in
                ends.withLock { $0 = continuation }
                work()
            }
        }
    }

    private func server(
        _ receiver: Receiver,
        idleSeconds: UInt32 = 30
    ) throws -> (HTTPServer, RawClient) {
        let socket = try ListeningSocket.open(on: "127.0.0.1", port: 0, preferred: 0)
        var limits = HTTPServer.Limits()
        limits.streamedIdleSeconds = idleSeconds
        let server = try HTTPServer(
            on: socket,
            limits: limits,
            admit: { _ in nil },
            respond: { _ in .noContent(204) },
            receive: { $0.method == "POST" ? { _ in receiver } : nil }
        )
        return (server, RawClient(port: socket.port))
    }

    @Test func o34_aStalledBodyEnds() async throws {
        let receiver = Receiver()
        receiver.gate.open()
        let (server, client) = try server(receiver, idleSeconds: 1)
        let lines = ["POST / HTTP/1.1", "Host: x", "Content-Length: 100", "", "begun"]
        let bytes = [UInt8](lines.joined(separator: "\r\n").utf8)
        await receiver.cancelled {
            Task { try await client.exchange(bytes) { _ in false } }
        }
        await server.stop()
    }

    @Test func o34_aWaitingBodyDoesNotHoldUpOtherRequests() async throws {
        let receiver = Receiver()
        let (server, client) = try server(receiver)
        let body = [UInt8](repeating: 7, count: 3 * BodyStream.bufferBytes)
        async let upload = client.send(
            ["POST / HTTP/1.1", "Host: x", "Content-Length: \(body.count)"],
            body: body
        )
        let other = try await client.send(["GET / HTTP/1.1", "Host: x"])
        #expect(other.status == 204)
        receiver.gate.open()
        #expect(try await upload.text == "\(body.count)")
        await server.stop()
    }

    @Test func o34_aRefusalOnTheWayIsTheResponseToTheWholeBody() async throws {
        let receiver = Receiver(isRefusing: true)
        receiver.gate.open()
        let (server, client) = try server(receiver)
        let body = [UInt8](repeating: 7, count: 5 * BodyStream.bufferBytes)
        let response = try await client.send(
            ["POST / HTTP/1.1", "Host: x", "Content-Length: \(body.count)"],
            body: body
        )
        #expect(response.status == 507 && response.text.contains("diskFull"))
        await server.stop()
    }
}
