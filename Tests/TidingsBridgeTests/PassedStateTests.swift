// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridgeTesting

@testable import TidingsBridge

/// A mirrored state whose parts run when the test says so.
@Suite(.timeLimit(.minutes(5)))
struct PassedStateTests {
    @Test func b10_aValueThatArrivesBeforeNothingWasSentIsShown() async throws {
        let server = InMemoryServer()
        let folder = TemporaryFolder()
        let options = BridgeOptions.quick
        let storage = try BridgeStorage(
            folder: folder.path,
            durability: options.durability,
            limits: options.limits
        )
        defer { storage.close() }
        let parts = EngineParts(
            center: MessageCenter(),
            space: try Space("shop"),
            storage: storage,
            options: options,
            time: Timeline(ContinuousClock()),
            transient: TransientQueue(limit: 1)
        )
        let publisher = StatePublisher<Int>()
        let crossing = Crossing(state: publisher, key: "price")
        let (wasRead, progress) = (WakeSignal(), WakeSignal())
        let mirror = MirroredState(publisher, crossing, parts) {
        } noteChange: {
            wasRead.raise()
        }
        let token = mirror.observe()
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        // The stream is empty, so that an own value would have to be sent.
        let reading = Task { try await mirror.run(over: connection) { progress.raise() } }
        await progress.wait()
        let subject = parts.space.stored(crossing.name, key: nil)
        let frame = BridgeFrame(subject: subject, body: Array("7".utf8))
        try await connection.publish([PublishedFrame(row: 1, frame: frame)])
        while mirror.status.handled == 0 { await wasRead.wait() }
        #expect(publisher.lastData == nil)
        mirror.flush()
        for await state in publisher.states.values where state.value == 7 { break }
        reading.cancel()
        connection.close()
        token.cancel()
    }
}
