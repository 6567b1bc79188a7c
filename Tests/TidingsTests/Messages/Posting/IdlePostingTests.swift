// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct IdlePostingTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @MainActor @Test func comesAfterWhatWaitsOnTheMainActorInOrder() async throws {
        let gate = Gate()
        let token = center.observe(Ping.self, on: .main) { [log] in
            log("idle \($0.number)")
            if $0.number == 2 { gate.open() }
        }
        let pong = center.observe(Pong.self, on: .main) { [log] _ in log("waiting delivery") }
        let isDone = finishesOnAnotherThread { [center] in center.post(Pong()) }
        #expect(isDone)
        Task.detached { @MainActor [log] in log("waiting task") }
        center.postWhenIdle(Ping(number: 1))
        center.postWhenIdle(Ping(number: 2))
        log("returned")
        try await gate.wait()
        #expect(log.all == ["returned", "waiting delivery", "waiting task", "idle 1", "idle 2"])
        token.cancel()
        pong.cancel()
    }

    @Test func isPostedOnTheMainActorFromAnyThread() async throws {
        let recorder = MessageRecorder(Ping.self, on: center)
        let token = center.observe(Ping.self) { _ in MainActor.assertIsolated() }
        center.postWhenIdle(Ping(number: 1))
        #expect(try await recorder.next().number == 1)
        token.cancel()
    }

    @MainActor @Test func theCenterIsNotKept() {
        var center: MessageCenter? = MessageCenter()
        weak let released = center
        center?.postWhenIdle(Ping())
        center = nil
        #expect(released == nil)
    }

    @Test func watchersSeeWhereItWasPosted() async throws {
        let places = Log<String>()
        let token = center.watch(posting: { places($0.location) })
        let recorder = MessageRecorder(Ping.self, on: center)
        let line: UInt = #line + 1
        center.postWhenIdle(Ping())
        _ = try await recorder.next()
        #expect(places.all == ["\(#fileID):\(line)"])
        token.cancel()
    }
}
