// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

private struct Refusal: Error {}

/// Shared work of a center with several bridges.
@Suite(.timeLimit(.minutes(15)))
struct SharedSiblingTests {
    private let server = InMemoryServer()
    private let work = Crossing.Kind.shared(group: "cooks")

    @Test(arguments: [true, false], [true, false])
    func b4_twoBridgesOfAWorkersCenterBothCarryItsPost(
        isWorkerFirst: Bool,
        isPublished: Bool
    ) async throws {
        let (center, folder) = (MessageCenter(), TemporaryFolder())
        let worker = server.bridge(on: center, storage: folder.path + "/worker") {
            Crossing(Placed.self, work)
        }
        let other = server.bridge(on: center, space: "office", storage: folder.path + "/other") {
            Crossing(Placed.self, .durable)
        }
        for bridge in isWorkerFirst ? [worker, other] : [other, worker] { try await bridge.start() }
        server.isDown = true
        if isPublished {
            try await worker.publish(Placed(number: 1))
        } else {
            center.post(Placed(number: 1))
        }
        for bridge in [worker, other] {
            let storage = try #require(bridge.engine?.parts.storage)
            #expect(storage.figures.withLock { $0.rows } == 1)
        }
        server.isDown = false
        for bridge in [worker, other] { try await bridge.close(within: .seconds(60)) }
        #expect(server.frames(of: "shop").count == 1 && server.frames(of: "office").count == 1)
        let ids = (server.frames(of: "shop") + server.frames(of: "office")).map(\.frame.headers.id)
        #expect(Set(ids).count == 1)
    }

    @Test func b8_workThatFailedOverOneBridgeIsDoneOverAnotherOfTheCenter() async throws {
        let (center, folder, done) = (MessageCenter(), TemporaryFolder(), Received())
        let failed = Lock<Set<Int>>([])
        let token = center.messages(of: Placed.self).observe { message in
            if failed.withLock({ $0.insert(message.number).inserted }) { throw Refusal() }
            done.add(message.number)
        }
        let bridges = (1...2).map { number in
            server.bridge(on: center, storage: "\(folder.path)/\(number)") {
                Crossing(Placed.self, work, .incoming)
            }
        }
        for bridge in bridges { try await bridge.start() }
        let desk = try await Peer(server, kind: work, direction: .outgoing).started()
        for number in 1...30 { desk.center.post(Placed(number: number)) }
        #expect(try await done.wait(for: 30).sorted() == Array(1...30))
        withExtendedLifetime(token) {}
    }

    @Test func b4_aWorkersOwnPostThatAnotherBridgeNamesIsDone() async throws {
        let (center, folder, received) = (MessageCenter(), TemporaryFolder(), Received())
        let first = server.bridge(on: center, space: "office", storage: folder.path + "/first") {
            Crossing(Placed.self, .durable, .outgoing)
        }
        let worker = server.bridge(on: center, storage: folder.path + "/worker") {
            Crossing(Placed.self, work)
        }
        let token = center.messages(of: Placed.self).observe { received.add($0.number) }
        for bridge in [first, worker] { try await bridge.start() }
        center.post(Placed(number: 1))
        #expect(try await received.wait(for: 1) == [1])
        for bridge in [first, worker] { try await bridge.close(within: .seconds(60)) }
        #expect(server.frames(of: "office").count == 1 && received.all == [1])
        withExtendedLifetime(token) {}
    }
}
