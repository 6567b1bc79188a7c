// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct AsyncHandlerTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let started = MessageCenter()

    /// Records every message whose handler has started.
    private func recorder() -> MessageRecorder<Pong> {
        MessageRecorder(Pong.self, on: started)
    }

    @Test func m13_messagesAreHandledOneAtATimeInOrder() async throws {
        let done = Gate()
        let token = center.messages(of: Ping.self).observe { [log] message in
            log("begin \(message.number)")
            await Task.yield()
            log("end \(message.number)")
            if message.number == 50 { done.open() }
        }
        for number in 1...50 { center.post(Ping(number: number)) }
        try await done.wait()
        #expect(log.all == (1...50).flatMap { ["begin \($0)", "end \($0)"] })
        token.cancel()
    }

    @Test func m13_asManyRunAtATimeAsTheLimitSays() async throws {
        let (begun, gate) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).concurrency(3).observe { [started] message in
            started.post(Pong(number: message.number))
            try await gate.wait()
        }
        for number in 1...10 { center.post(Ping(number: number)) }
        #expect(try await Set(begun.first(3).map(\.number)) == [1, 2, 3])
        #expect(token.pending == 7)
        gate.open()
        #expect(try await Set(begun.first(10).map(\.number)) == Set(1...10))
        token.cancel()
    }

    @Test func m13_cancellingEmptiesTheMailboxAndCancelsTheRunningTask() async throws {
        let (begun, over) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).observe { [started, log] message in
            started.post(Pong(number: message.number))
            do {
                try await Gate().wait()
            } catch {
                log("\(error is CancellationError)")
            }
            over.open()
        }
        for number in 1...10 { center.post(Ping(number: number)) }
        _ = try await begun.next()
        #expect(token.pending == 9)
        token.cancel()
        #expect(token.pending == 0)
        #expect(token.dropped == 0)
        try await over.wait()
        #expect(log.all == ["true"])
        #expect(begun.messages.map(\.number) == [1])
    }

    @Test(arguments: [
        (Buffering.newest(3), [0, 7, 8, 9], 6),
        (.oldest(3), [0, 1, 2, 3], 6),
        (.unbounded, Array(0...9), 0),
    ])
    func m13_aBusyHandlerLosesWhatItsBufferingSays(
        buffering: Buffering,
        handled: [Int],
        dropped: Int
    ) async throws {
        let (begun, gate) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).buffering(buffering).observe {
            [started] message in
            started.post(Pong(number: message.number))
            try await gate.wait()
        }
        center.post(Ping(number: 0))
        _ = try await begun.next()
        for number in 1...9 { center.post(Ping(number: number)) }
        #expect(token.pending == handled.count - 1)
        #expect(token.dropped == dropped)
        gate.open()
        #expect(try await begun.first(handled.count).map(\.number) == handled)
        await token.cancelAndWait()
        #expect(begun.messages.count == handled.count)
    }

    @Test func m2_whenPostReturnsTheMessageIsInTheMailbox() async throws {
        let (begun, gate) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).observe { [started] message in
            started.post(Pong(number: message.number))
            try await gate.wait()
        }
        center.post(Ping(number: 1))
        _ = try await begun.next()
        #expect(center.post(Ping(number: 2)) == 1)
        #expect(token.pending == 1)
        gate.open()
        #expect(try await begun.next().number == 2)
        token.cancel()
    }

    @Test func m5_nothingInTheMailboxIsCalledAfterCancel() async throws {
        let (begun, gate) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).observe { [started] message in
            started.post(Pong(number: message.number))
            // Goes on in spite of the cancelled task.
            await Task { try? await gate.wait() }.value
        }
        for number in 1...100 { center.post(Ping(number: number)) }
        _ = try await begun.next()
        token.cancel()
        gate.open()
        await token.cancelAndWait()
        #expect(begun.messages.count == 1)
    }

    @Test func m7_droppingTheTokenCancelsTheRunningTask() async throws {
        let (begun, cancelled) = (recorder(), Gate())
        do {
            let token = center.messages(of: Ping.self).observe { [started] _ in
                started.post(Pong())
                try? await Gate().wait()
                cancelled.open()
            }
            center.post(Ping())
            _ = try await begun.next()
            withExtendedLifetime(token) {}
        }
        try await cancelled.wait()
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func onceTakesOneMessageAndHandlesIt() async throws {
        let begun = recorder()
        let token = center.messages(of: Ping.self).once().observe { [started] message in
            await Task.yield()
            started.post(Pong(number: message.number))
        }
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(try await begun.next().number == 1)
        withExtendedLifetime(token) {}
    }

    @Test func onceCanBeCancelledWhileItsCallRuns() async throws {
        let (begun, cancelled) = (recorder(), Gate())
        let token = center.messages(of: Ping.self).once().observe { [started] _ in
            started.post(Pong())
            try? await Gate().wait()
            cancelled.open()
        }
        center.post(Ping())
        _ = try await begun.next()
        token.cancel()
        try await cancelled.wait()
    }

    @Test func filtersAndSubjectsAreAskedBeforeTheMailbox() async throws {
        let (begun, gate, owner) = (recorder(), Gate(), Owner())
        let isEven: @Sendable (Ping) -> Bool = { $0.number.isMultiple(of: 2) }
        let token = center.messages(of: Ping.self).about(owner).where(isEven).buffering(.oldest(2))
            .observe { [started] message in
                started.post(Pong(number: message.number))
                try await gate.wait()
            }
        center.post(Ping(number: 0), about: owner)
        _ = try await begun.next()
        for number in 1...4 { center.post(Ping(number: number), about: owner) }
        center.post(Ping(number: 6), about: Owner())
        #expect(token.pending == 2)
        #expect(token.dropped == 0)
        gate.open()
        #expect(try await begun.first(3).map(\.number) == [0, 2, 4])
    }

    @Test func whatTheMailboxHoldsIsHandledWhenTheCenterGoes() async throws {
        var center: MessageCenter? = MessageCenter()
        let (begun, gate) = (recorder(), Gate())
        let token = center?.messages(of: Ping.self).observe { [started] message in
            started.post(Pong(number: message.number))
            try await gate.wait()
        }
        for number in 1...3 { center?.post(Ping(number: number)) }
        center = nil
        gate.open()
        #expect(try await begun.first(3).map(\.number) == [1, 2, 3])
        withExtendedLifetime(token) {}
    }

    @Test func theHandlerIsReleasedWithTheObservation() async throws {
        let (released, begun) = (Gate(), recorder())
        var canary: Canary? = Canary { released.open() }
        let token = center.messages(of: Ping.self).observe { [canary, started] _ in
            canary?.stay()
            started.post(Pong())
            await Task.yield()
        }
        canary = nil
        center.post(Ping())
        _ = try await begun.next()
        await token.cancelAndWait()
        try await released.wait()
        withExtendedLifetime(token) {}
    }

    @Test func anObservationWithoutAQueueHasNothingPending() {
        let token = center.observe(Ping.self) { _ in }
        center.post(Ping())
        #expect((token.pending, token.dropped) == (0, 0))
    }
}
