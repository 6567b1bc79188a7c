// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridgeTesting
import TidingsLock

@testable import TidingsBridge

/// A mirrored state whose parts run at times that the test chooses.
@Suite(.timeLimit(.minutes(15)))
struct PassedStateTests {
    private let server = InMemoryServer()
    private let folder = TemporaryFolder()
    private let crossing: Crossing
    private let publisher: StatePublisher<Int>
    private let parts: EngineParts
    private let mirror: MirroredState<Int>
    /// A signal that is raised when the mirror has read a frame.
    private let wasRead = WakeSignal()
    /// A signal that is raised when the mirror follows the stream.
    private let progress = WakeSignal()

    init() throws {
        let options = BridgeOptions.quick
        publisher = StatePublisher<Int>()
        crossing = Crossing(state: publisher, key: "price")
        parts = EngineParts(
            center: MessageCenter(),
            space: try Space("shop"),
            storage: try BridgeStorage(
                folder: folder.path,
                durability: options.durability,
                limits: options.limits
            ),
            options: options,
            time: Timeline(ContinuousClock()),
            transient: TransientQueue(limit: 1)
        )
        mirror = MirroredState(publisher, crossing, parts) {
        } noteChange: { [wasRead] in
            wasRead.raise()
        }
    }

    /// Returns a frame of another process.
    private func frame(_ price: Int) -> PublishedFrame {
        let subject = parts.space.stored(crossing.name, key: nil)
        return PublishedFrame(
            row: 1,
            frame: BridgeFrame(subject: subject, body: Array("\(price)".utf8))
        )
    }

    @Test func b10_aValueThatArrivesBeforeNothingWasSentIsShown() async throws {
        defer { parts.storage.close() }
        let token = mirror.observe()
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        // The stream is empty, so an own value would have to be sent.
        let reading = Task {
            try await mirror.run(over: connection) { [progress] in progress.raise() }
        }
        await progress.wait()
        try await connection.publish([frame(7)])
        while mirror.status.handled == 0 { await wasRead.wait() }
        #expect(publisher.lastData == nil)
        mirror.flush()
        for await state in publisher.states.values where state.value == 7 { break }
        reading.cancel()
        connection.close()
        token.cancel()
    }

    @Test(arguments: [true, false])
    func b11_aValueThatIsSentAgainReplacesNoChangeOfAnotherProcess(isRead: Bool) async throws {
        defer { parts.storage.close() }
        publisher.updateData(5)
        let token = mirror.observe()
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        let reading = Task {
            try await mirror.run(over: connection) { [progress] in progress.raise() }
        }
        await progress.wait()
        // The stream has lost the value, which is now in the outbox. Another process stores a
        // change before the outbox is sent.
        mirror.flush()
        let row = try #require(try parts.storage.rows(after: 0, limit: 2, bytes: .max).first)
        let other = try await server.transport().connect(to: "shop", epoch: 1)
        try await other.publish([frame(6)])
        if isRead { while mirror.status.position == 0 { await wasRead.wait() } }
        let time = Timeline(ContinuousClock())
        let publisher = Publisher(
            parts.storage,
            time,
            PublishState(window: 8, deadline: .seconds(9))
        ) {
        }
        let sending = Task { try await publisher.run(over: connection) {} }
        for await state in self.publisher.states.values where state.value == 6 { break }
        #expect(row.frame.headers[.after] == "0")
        #expect(server.frames(of: "shop").map(\.frame.body) == [Array("6".utf8)])
        #expect(parts.storage.letterFigures.withLock { $0 } == DeadLetterFigures())
        #expect(mirror.status.failures == 0)
        // A change of this process is stored in any case.
        self.publisher.updateData(8)
        mirror.flush()
        publisher.rowsWereAdded()
        while server.frames(of: "shop").count < 2 { await wasRead.wait() }
        #expect(server.frames(of: "shop").last?.frame.body == Array("8".utf8))
        for task in [reading, sending] { task.cancel() }
        for each in [connection, other] { each.close() }
        token.cancel()
    }
}
