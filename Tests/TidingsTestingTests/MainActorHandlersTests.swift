// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct MainActorHandlersTests {
    private struct Step: Message {
        let number: Int
    }

    private let center = MessageCenter()
    private let log: MessageLog

    init() {
        log = MessageLog(on: center)
    }

    @concurrent @Test func waitsForTheMainActorHandlersOfEarlierPosts() async throws {
        let token = center.observe(Step.self, on: .main) { [log] in log.note("\($0.number)") }
        for number in 1...20 { center.post(Step(number: number)) }
        try await center.waitForMainActorHandlers()
        #expect(log.names == (1...20).map { "\($0)" })
        token.cancel()
    }

    @MainActor @Test func theMainActorItselfMayWait() async throws {
        let token = center.observe(Step.self, on: .main) { [log] in log.note("\($0.number)") }
        let elsewhere = Task.detached { [center] in _ = center.post(Step(number: 1)) }
        await elsewhere.value
        try await center.waitForMainActorHandlers()
        #expect(log.names == ["1"])
        token.cancel()
    }

    @Test func concurrentWaitsDoNotAffectEachOther() async throws {
        async let one: Void = center.waitForMainActorHandlers()
        async let other: Void = center.waitForMainActorHandlers()
        try await one
        try await other
    }
}
