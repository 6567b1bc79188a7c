// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTracing

@testable import TidingsBridge
@testable import TidingsBridgeTesting

@Suite(.timeLimit(.minutes(15)))
struct KilledProcessTests {
    private let folder = TemporaryFolder()

    private func storage() throws -> BridgeStorage {
        try BridgeStorage(folder: folder.path, durability: .process, limits: StorageLimits())
    }

    @Test(arguments: 0..<10)
    func b2_aRowThatWasReturnedSurvivesAKillAtAnyMoment(round: Int) async throws {
        // The thread is anywhere inside a commit when the caller kills the process.
        let (path, count) = (folder.path, 1 + round * 7)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, count = count as Int] in
            let storage = try BridgeStorage(
                folder: path,
                durability: .process,
                limits: StorageLimits()
            )
            let returned = open(path + "/returned", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let append: @Sendable () -> Void = {
                let draft = OutboxDraft(subject: "s.a._", headers: [:], body: [1, 2, 3])
                guard let row = try? storage.append([draft]).first else { return }
                let line = Array("\(row)\n".utf8)
                write(returned, line, line.count)
            }
            Thread.detachNewThread { while true { append() } }
            for _ in 0..<count { append() }
            kill(getpid(), SIGKILL)
        }
        let text = try String(contentsOfFile: folder.path + "/returned", encoding: .utf8)
        let returned = text.split(separator: "\n").compactMap { Int($0) }
        let stored = try storage().rows(after: 0, limit: 1_000_000, bytes: .max).map(\.row)
        #expect(returned.count >= count && Set(returned).isSubset(of: stored))
        #expect(stored == Array(1...stored.count))
    }

    @Test func b5_aKillInsideAHandlerMovesNeitherTheCursorNorTheInbox() async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let (center, server) = (MessageCenter(), InMemoryServer())
            let connection = try await server.transport().connect(to: "shop", epoch: 1)
            try await connection.publish(
                (1...3).map { number in
                    PublishedFrame(
                        row: number,
                        frame: BridgeFrame(
                            subject: "shop.orders.placed._",
                            headers: ["Tidings-Id": "x-\(number)"],
                            body: Array(#"{"number":\#(number)}"#.utf8)
                        )
                    )
                }
            )
            let token = center.messages(of: Placed.self).observe { message in
                if message.number == 3 { kill(getpid(), SIGKILL) }
            }
            let bridge = Bridge(
                center: center,
                space: "shop",
                transport: server.transport(),
                storage: path
            ) { Crossing(Placed.self, .durable, .incoming(from: .beginning)) }
            try await bridge.start()
            for await _ in bridge.status.states.values {}
            withExtendedLifetime(token) {}
        }
        let storage = try storage()
        #expect(try storage.cursor(of: "orders.placed")?.sequence == 2)
        #expect(try storage.cursor(of: "orders.placed")?.id.hasPrefix("x-2 ") == true)
        #expect(try (1...3).map { try storage.hasSeen("x-\($0)") } == [true, true, false])
    }

    @Test func b20_aTraceShowsTheOriginOfAReceivedMessage() async throws {
        let server = InMemoryServer()
        let (desk, kitchen) = (try await Peer(server).started(), try await Peer(server).started())
        let trace = kitchen.center.trace()
        var records = trace.makeAsyncIterator()
        let receipt = try await desk.bridge.publish(Placed(number: 1))
        let record = await records.next()
        let origin = receipt.id.split(separator: "-")[0]
        #expect(record?.subject == "from \(origin)")
    }
}
