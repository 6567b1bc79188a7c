// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsNATS
import TidingsTesting

@testable import TidingsBridge

/// States that processes mirror over a real server.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSStateTests {
    @Test func b10_aLateProcessFollowsOverKillsOfTheServer() async throws {
        let server = try await NATSServer()
        let first = try await Room(server, "1", 0).started()
        let second = try await Room(server, "2").started()
        try await second.shows(0)
        for round in 1...3 {
            first.degrees.updateData(round * 10)
            await server.kill()
            first.degrees.updateData(round * 10 + 1)
            try await server.start()
            try await second.shows(round * 10 + 1)
            let late = try await Room(server, "late\(round)").started()
            try await late.shows(round * 10 + 1)
        }
    }

    @Test func b2_aChangeSurvivesTheKillOfItsProcessAndArrives() async throws {
        let server = try await NATSServer()
        let reader = try await Room(server, "reader").started()
        let (address, folder) = (server.address, server.folder.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [address = address as String, folder = folder as String] in
            // No server listens at this address, so the change waits in the outbox.
            let room = Room("nats://127.0.0.1:1", folder + "/writer")
            try await room.bridge.start()
            room.degrees.updateData(21)
            for await state in room.bridge.status.states.values where state.value?.outboxCount == 1
            {
                kill(getpid(), SIGKILL)
            }
            withExtendedLifetime(address) {}
        }
        let writer = try await Room(server, "writer").started()
        try await reader.shows(21)
        try await writer.shows(21)
    }

    @Test func b11_aStreamThatWasDeletedReceivesTheNewestValueAgain() async throws {
        let server = try await NATSServer()
        let first = try await Room(server, "1", 5).started()
        let second = try await Room(server, "2").started()
        try await second.shows(5)
        // The server loses the store while the server is not running.
        await server.kill()
        try FileManager.default.removeItem(at: server.folder.appendingPathComponent("store"))
        try await server.start()
        let late = try await Room(server, "3").started()
        try await late.shows(5)
        late.degrees.updateData(6)
        for room in [first, second] { try await room.shows(6) }
    }

    @Test func ofTwoWritersTheLastStoredValueWinsEverywhere() async throws {
        let server = try await NATSServer()
        let rooms = [
            try await Room(server, "1", 0).started(), try await Room(server, "2").started(),
        ]
        try await rooms[1].shows(0)
        for number in 1...40 {
            rooms[number % 2].degrees.updateData(number)
            rooms[(number + 1) % 2].degrees.updateData(-number)
        }
        for room in rooms { try await room.drained() }
        let connection = try await server.connect()
        let last = try await connection.stream().last
        for room in rooms { try await room.hasRead(last) }
        for room in rooms { try await room.bridge.close(within: .seconds(60)) }
        let body = try #require(try await connection.frame(at: last)?.frame.body)
        let winner = Int(String(decoding: body, as: UTF8.self))
        #expect(rooms.map(\.degrees.lastData) == [winner, winner])
        connection.close()
    }
}

/// A process with a mirrored state.
private final class Room: Sendable {
    let degrees: StatePublisher<Int>
    let bridge: Bridge

    convenience init(_ server: NATSServer, _ name: String, _ data: Int? = nil) {
        self.init(server.address, server.folder.path + "/" + name, data)
    }

    init(_ address: String, _ folder: String, _ data: Int? = nil) {
        let degrees = StatePublisher(data)
        self.degrees = degrees
        bridge = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: NATSTransport(address, .patient),
            storage: folder
        ) { Crossing(state: degrees, key: "degrees") }
    }

    func started() async throws -> Room {
        try await bridge.start()
        return self
    }

    func shows(_ data: Int) async throws {
        for await state in degrees.states.values where state.value == data { return }
        throw CancellationError()
    }

    func drained() async throws {
        let engine = try #require(bridge.engine)
        // The status may be older than the last update, which may not be in the outbox yet.
        for await _ in bridge.status.states.values
        where !engine.mirrors.contains(where: \.hasNewChange)
            && engine.parts.storage.figures.withLock({ $0.rows }) == 0
        {
            return
        }
    }

    func hasRead(_ sequence: UInt64) async throws {
        for await state in bridge.status.states.values {
            let mirror = state.value?.subscriptions["tidings-state.degrees"]
            if let mirror, mirror.position >= sequence { return }
        }
    }
}
#endif
