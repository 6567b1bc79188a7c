// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridge
import TidingsBridgeTesting

/// A process with a bridge to each of two spaces.
private final class Member: Sendable {
    let center = MessageCenter()
    let received = Received()
    let bridges: [Bridge]
    private let folders: [TemporaryFolder]
    private let token: ObservationToken

    init(_ server: InMemoryServer, _ spaces: [String], hopLimit: Int = 8) {
        let folders = spaces.map { _ in TemporaryFolder() }
        let center = center
        var options = BridgeOptions.quick
        options.hopLimit = hopLimit
        bridges = zip(spaces, folders).map { space, folder in
            Bridge(
                center: center,
                space: space,
                transport: server.transport(),
                storage: folder.path,
                options: options
            ) { Crossing(Placed.self, .durable, .both(from: .beginning)) }
        }
        self.folders = folders
        let received = received
        token = center.messages(of: Placed.self).observe { received.add($0.number) }
    }

    func start() async throws {
        for bridge in bridges { try await bridge.start() }
    }

    func close() async throws {
        for bridge in bridges { try await bridge.close(within: .seconds(60)) }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct RingTests {
    private let server = InMemoryServer()

    @Test func b9_inARingOfThreeEachProcessHandlesAMessageOnce() async throws {
        let members = [["a", "b"], ["b", "c"], ["c", "a"]].map { Member(server, $0) }
        for member in members { try await member.start() }
        for number in 1...50 { members[number % 3].center.post(Placed(number: number)) }
        for member in members { _ = try await member.received.wait(for: 50) }
        // The end lets every message take all possible ways.
        for member in members { try await member.close() }
        for member in members { #expect(member.received.all.sorted() == Array(1...50)) }
    }

    @Test func b9_theHopLimitEndsALongWay() async throws {
        let members = [["a", "b"], ["b", "c"], ["c", "d"]].map { Member(server, $0, hopLimit: 2) }
        for member in members { try await member.start() }
        let end = Member(server, ["d"])
        try await end.start()
        members[0].center.post(Placed(number: 1))
        #expect(try await members[2].received.wait(for: 1) == [1])
        for member in members { try await member.close() }
        #expect(server.frames(of: "c").count == 1 && server.frames(of: "d").isEmpty)
    }
}
