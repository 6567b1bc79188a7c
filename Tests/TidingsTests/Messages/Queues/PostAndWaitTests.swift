// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct PostAndWaitTests {
    private struct Broken: Error, Equatable {
        var number = 0
    }

    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    @Test func itWaitsForHandlersOfEveryKind() async {
        actor Shelf {}
        let (owner, shelf) = (Owner(), Shelf())
        center.observe(Ping.self) { [log] _ in log("plain") }.store(in: bag)
        center.observe(Ping.self, on: .main) { [log] _ in log("main") }.store(in: bag)
        center.messages(of: Ping.self).observe { [log] _ in
            await Task.yield()
            log("async")
        }.store(in: bag)
        center.messages(of: Ping.self).observe(owner: owner) { [log] _, _ in
            await Task.yield()
            log("owner")
        }
        center.messages(of: Ping.self).observe(on: shelf) { [log] _, _ in log("actor") }
        let report = await center.postAndWait(Ping())
        #expect(Set(log.all) == ["plain", "main", "async", "owner", "actor"])
        #expect(report.recipients == 5)
        #expect(report.failures.isEmpty)
        #expect(report.unfinished == 0)
    }

    @Test func withoutRecipientsItReturns() async {
        #expect(await center.postAndWait(Ping()).recipients == 0)
    }

    @Test func itAddressesTheSubjectsObservers() async {
        let (subject, other) = (Owner(), Owner())
        center.messages(of: Ping.self).about(subject).observe { [log] _ in
            await Task.yield()
            log("subject")
        }.store(in: bag)
        #expect(await center.postAndWait(Ping(), about: subject).recipients == 1)
        #expect(await center.postAndWait(Ping(), about: other).recipients == 0)
        #expect(log.all == ["subject"])
    }

    @Test func m16_errorsGoToTheCallerAndNowhereElse() async {
        center.addErrorHook { [log] failure in log("hook \(failure.error)") }.store(in: bag)
        center.observe(Ping.self) { _ in throw Broken(number: 1) }.store(in: bag)
        center.observe(Ping.self, on: .main) { _ in throw Broken(number: 2) }.store(in: bag)
        center.messages(of: Ping.self).observe { _ in
            await Task.yield()
            throw Broken(number: 3)
        }.store(in: bag)
        center.observe(Ping.self) { [log] _ in log("heard") }.store(in: bag)
        let report = await center.postAndWait(Ping())
        #expect(Set(report.failures.compactMap { ($0.error as? Broken)?.number }) == [1, 2, 3])
        #expect(report.failures.allSatisfy { $0.observation.message == "Ping" })
        #expect(report.recipients == 4)
        #expect(log.all == ["heard"])
    }

    @Test func m16_errorsOfOtherPostsGoToTheHookOnce() async throws {
        let told = Gate()
        center.addErrorHook { [log] failure in
            log("hook \(failure.observation.message)")
            told.open()
        }.store(in: bag)
        center.messages(of: Ping.self).observe { message in
            await Task.yield()
            if message.number == 1 { throw Broken() }
        }.store(in: bag)
        center.post(Ping(number: 1))
        try await told.wait()
        let report = await center.postAndWait(Ping(number: 2))
        #expect(report.failures.isEmpty)
        #expect(log.all == ["hook Ping"])
    }

    @Test func m16_anAsyncFailureOfWhatTheHookPostsIsNotToldAgain() async {
        center.addErrorHook { [center, log] failure in
            log("hook \(failure.observation.message)")
            center.post(Pong())
        }.store(in: bag)
        center.messages(of: Pong.self).observe { [log] _ in
            await Task.yield()
            log("pong")
            throw Broken()
        }.store(in: bag)
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        center.post(Ping())
        // The mailbox works in order: after this message, the messages of the hook are done too.
        let report = await center.postAndWait(Pong())
        #expect(report.failures.count == 1)
        #expect(log.all == ["hook Ping", "pong", "pong"])
    }

    @Test func theEndOfACancelledCallIsNoFailure() async throws {
        center.addErrorHook { [log] _ in log("hook") }.store(in: bag)
        let begun = Gate()
        let token = center.messages(of: Ping.self).observe { _ in
            begun.open()
            try await Gate().wait()
        }
        async let report = center.postAndWait(Ping())
        try await begun.wait()
        token.cancel()
        #expect(await report.failures.isEmpty)
        #expect(log.all.isEmpty)
    }

    @Test func whatABufferDropsCountsAsDone() async throws {
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).buffering(.newest(1)).observe { _ in
            begun.open()
            try await gate.wait()
        }
        center.post(Ping(number: 0))
        try await begun.wait()
        let first = await begin { [center] in await center.postAndWait(Ping(number: 1)) }
        #expect(token.pending == 1)
        center.post(Ping(number: 2))
        #expect(try await first.value.recipients == 1)
        #expect(token.dropped == 1)
        gate.open()
    }

    @Test func whatIsCancelledCountsAsDone() async throws {
        let begun = Gate()
        let token = center.messages(of: Ping.self).observe { _ in
            begun.open()
            try? await Gate().wait()
        }
        center.post(Ping(number: 0))
        try await begun.wait()
        let report = await begin { [center] in await center.postAndWait(Ping(number: 1)) }
        #expect(token.pending == 1)
        token.cancel()
        #expect(try await report.value.recipients == 1)
    }

    @Test func aCancelledTaskReturnsAtOnceAndTheHookLearnsOfTheRest() async throws {
        let (begun, gate, told) = (Gate(), Gate(), Gate())
        center.addErrorHook { [log] failure in
            log("hook \(failure.error is Broken)")
            told.open()
        }.store(in: bag)
        center.messages(of: Ping.self).observe { _ in
            begun.open()
            try await gate.wait()
            throw Broken()
        }.store(in: bag)
        let poster = Task { [center] in await center.postAndWait(Ping()) }
        try await begun.wait()
        poster.cancel()
        let report = await poster.value
        #expect(report.unfinished == 1)
        #expect(report.failures.isEmpty)
        gate.open()
        try await told.wait()
        #expect(log.all == ["hook true"])
    }

    @Test func aSequenceCountsAsDoneWhenItHasBuffered() async {
        let messages = center.messages(of: Ping.self).values
        #expect(await center.postAndWait(Ping()).recipients == 1)
        #expect(messages.pending == 1)
    }

    @MainActor @Test func onTheMainActorItRunsMainHandlersInline() async {
        center.observe(Ping.self, on: .main) { [log] _ in log("main") }.store(in: bag)
        await center.postAndWait(Ping())
        #expect(log.all == ["main"])
    }

    // MARK: Inside a handler

    @Test func insideItsOwnHandlerItDoesNotWaitForThatObservation() async throws {
        let others = Log<Int>()
        center.messages(of: Ping.self).observe { [center, log] message in
            log("begin \(message.number)")
            if message.number == 0 {
                let report = await center.postAndWait(Ping(number: 1))
                #expect(report.recipients == 2)
            }
            log("end \(message.number)")
        }.store(in: bag)
        center.messages(of: Ping.self).observe { message in
            await Task.yield()
            others(message.number)
        }.store(in: bag)
        await center.postAndWait(Ping(number: 0))
        #expect(others.all == [0, 1])
        await center.postAndWait(Ping(number: 2))
        #expect(log.all.prefix(4) == ["begin 0", "end 0", "begin 1", "end 1"])
    }

    @Test func handlersThatWaitInACircleDoNotHang() async {
        center.messages(of: Ping.self).observe { [center, log] message in
            if message.number < 3 { await center.postAndWait(Pong(number: message.number)) }
            log("ping \(message.number)")
        }.store(in: bag)
        center.messages(of: Pong.self).observe { [center] message in
            await center.postAndWait(Ping(number: message.number + 1))
        }.store(in: bag)
        await center.postAndWait(Ping())
        await center.postAndWait(Ping(number: 9))
        await center.postAndWait(Ping(number: 9))
        #expect(Set(log.all).isSuperset(of: ["ping 0", "ping 9"]))
    }

    @Test func aTaskThatOutlivesItsHandlerWaitsAgain() async throws {
        let (tasks, ended) = (Log<Task<Void, Never>>(), Gate())
        center.messages(of: Ping.self).observe { [center, log] message in
            await Task.yield()
            log("\(message.number)")
            guard message.number == 0 else { return }
            let task = Task {
                try? await ended.wait()
                await center.postAndWait(Ping(number: 1))
                log("waited")
            }
            tasks(task)
        }.store(in: bag)
        await center.postAndWait(Ping(number: 0))
        ended.open()
        await tasks.all[0].value
        #expect(log.all == ["0", "1", "waited"])
    }
}
