// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsNATS

/// Real faults: killed and halted servers, stalled and cut connections.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSFaultTests {
    @Test func b12_aKilledServerEndsTheConnection() async throws {
        let server = try await NATSServer()
        let connection = try await server.connect()
        let reader = try await connection.read(from: .now, SubjectFilter("shop.>"))
        await server.kill()
        let errors = [
            await failure { _ = try await connection.acknowledgements(count: 1) },
            await failure { _ = try await reader.next(atMost: 1) },
            await failure { try await connection.publish(frames(0..<1)) },
            await failure { _ = try await connection.stream() },
            await failure { try await connection.send([]) },
        ]
        #expect(errors.allSatisfy { $0?.code == .lost })
        let attempt = await failure { _ = try await server.connect() }
        #expect(attempt?.code == .unreachable)
    }

    @Test func b12_aHaltedServerEndsAnIdleConnection() async throws {
        let server = try await NATSServer()
        var configuration = NATSConfiguration.patient
        configuration.pingInterval = .seconds(1)
        let connection = try await server.connect(configuration)
        server.pause()
        defer { server.resume() }
        let error = await failure { _ = try await connection.acknowledgements(count: 1) }
        #expect(error?.code == .lost)
    }

    @Test func b12_aHaltedServerEndsAReader() async throws {
        let server = try await NATSServer()
        var configuration = NATSConfiguration.patient
        configuration.pingInterval = .seconds(3_600)
        configuration.silence = .seconds(2)
        let connection = try await server.connect(configuration)
        let reader = try await connection.read(from: .now, SubjectFilter("shop.>"))
        server.pause()
        defer { server.resume() }
        let error = await failure { _ = try await reader.next(atMost: 1) }
        #expect(error?.code == .overdue)
    }

    @Test func b12_aHaltedServerEndsARequest() async throws {
        let server = try await NATSServer()
        var configuration = NATSConfiguration.patient
        configuration.pingInterval = .seconds(3_600)
        configuration.answerTimeout = .seconds(3)
        let connection = try await repeated { try await server.connect(configuration) }
        server.pause()
        defer { server.resume() }
        let error = await failure { _ = try await connection.stream() }
        #expect(error?.code == .overdue)
    }

    @Test func b12_aStalledNetworkEndsAPublish() async throws {
        let server = try await NATSServer()
        let proxy = try FaultProxy(to: server.port)
        defer { proxy.close() }
        var configuration = NATSConfiguration.patient
        configuration.pingInterval = .seconds(3_600)
        configuration.writeDeadline = .milliseconds(300)
        let connection = try await repeated {
            try await NATSTransport(proxy.address, configuration).connect(to: "shop", epoch: 1)
        }
        proxy.stall()
        let body = [UInt8](repeating: 1, count: 500_000)
        let error = await failure {
            // The frames are more than the buffers of the sockets hold.
            for row in 0..<1_000 {
                let frame = BridgeFrame(subject: "shop.a", body: body)
                try await connection.publish([PublishedFrame(row: row, frame: frame)])
            }
        }
        // The thread that flushes may notice the fault first.
        #expect([.overdue, .lost].contains(error?.code))
    }

    @Test func b7_aServerKilledWhilePublishingLosesAndSwapsNothing() async throws {
        let server = try await NATSServer()
        let count = 3_000
        let log = EpochLog(rows: count)
        var kills = 3
        while let first = log.firstUnacknowledged {
            let connection = try await server.connect()
            log.epochs += 1
            do {
                var next = first
                while let lowest = log.firstUnacknowledged {
                    if next < count, next - lowest < 256 {
                        let upper = min(count, next + 64)
                        try await connection.publish(frames(next..<upper))
                        next = upper
                    }
                    if kills > 0, next > count / 4 * (4 - kills) {
                        kills -= 1
                        await server.kill()
                        try await server.start()
                    }
                    log.take(try await connection.acknowledgements(atMost: 256))
                }
            } catch is TransportError {}
            connection.close()
        }
        #expect(kills == 0)
        #expect(log.epochs >= 4)
        let rows = try await storedRows(server)
        #expect(rows == Array(0..<count))
    }

    @Test func b10_aServerKilledWhileReadingRepeatsAndLosesNothing() async throws {
        let server = try await NATSServer()
        let writer = try await server.connect()
        try await writer.publish(frames(0..<3_000))
        _ = try await writer.acknowledgements(count: 3_000)
        var sequences: [UInt64] = []
        var kills = 3
        while sequences.count < 3_000 {
            let connection = try await server.connect()
            let reader = try await connection.read(
                from: .sequence(UInt64(sequences.count) + 1),
                SubjectFilter("shop.>")
            )
            do {
                while sequences.count < 3_000 {
                    sequences += try await reader.next(atMost: 100).map(\.sequence)
                    if kills > 0, sequences.count > 3_000 / 4 * (4 - kills) {
                        kills -= 1
                        await server.kill()
                        try await server.start()
                    }
                }
            } catch is TransportError {}
        }
        #expect(kills == 0)
        #expect(sequences == (1...3_000).map { UInt64($0) })
    }

    @Test(arguments: [1, 77, 1_000, 10_001, 40_000])
    func b7_aConnectionCutInsideAFrameLosesAndSwapsNothing(bytes: Int) async throws {
        let server = try await NATSServer()
        let proxy = try FaultProxy(to: server.port)
        defer { proxy.close() }
        let log = EpochLog(rows: 500)
        while let first = log.firstUnacknowledged {
            let connection = try await NATSTransport(proxy.address, .patient).connect(
                to: "shop",
                epoch: 1
            )
            log.epochs += 1
            if log.epochs == 1 { proxy.cut(after: bytes) }
            do {
                try await connection.publish(frames(first..<500))
                while log.firstUnacknowledged != nil {
                    log.take(try await connection.acknowledgements(atMost: 100))
                }
            } catch {}
            connection.close()
        }
        #expect(log.epochs >= 2)
        #expect(try await storedRows(server) == Array(0..<500))
    }

    /// Connects again after a failure, because a busy machine may exceed the short limits.
    private func repeated(
        _ connect: () async throws -> any BridgeConnection
    ) async throws -> any BridgeConnection {
        for _ in 1..<20 {
            do { return try await connect() } catch let error as TransportError {
                guard [.overdue, .lost].contains(error.code) else { throw error }
            }
        }
        return try await connect()
    }

    private func storedRows(_ server: NATSServer) async throws -> [Int] {
        let connection = try await server.connect()
        defer { connection.close() }
        let last = try await connection.stream().last
        let reader = try await connection.read(from: .beginning, SubjectFilter("shop.>"))
        return try await reader.frames(count: Int(last), atMost: 500).map { stored in
            let text = String(decoding: stored.frame.body, as: UTF8.self)
            return Int(text.dropFirst(4)) ?? -1
        }
    }
}

/// The acknowledgements that a publisher has received over all connections.
private final class EpochLog {
    private var isAcknowledged: [Bool]
    private var lowest = 0
    var epochs = 0

    init(rows: Int) {
        isAcknowledged = Array(repeating: false, count: rows)
    }

    var firstUnacknowledged: Int? { lowest < isAcknowledged.count ? lowest : nil }

    func take(_ answers: [PublishAcknowledgement]) {
        for answer in answers where answer.sequence != nil { isAcknowledged[answer.row] = true }
        while lowest < isAcknowledged.count, isAcknowledged[lowest] { lowest += 1 }
    }
}

/// Returns the error that `body` throws, or nil if `body` throws no error.
func failure(_ body: () async throws -> Void) async -> TransportError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? TransportError
    }
}
#endif
