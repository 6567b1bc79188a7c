// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ReplayTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func retain(_ numbers: ClosedRange<Int>, _ options: PostingOptions) {
        for number in numbers { center.post(Ping(number: number), options: options) }
    }

    private func observe(_ replay: Replay, once: Bool = false) {
        center.messages(of: Ping.self).once(if: once).replaying(replay).observe { [log] in
            log($0.number)
        }
        .store(in: bag)
    }

    @Test func m18_anObserverGetsTheLatestMessageOnceAndFirst() {
        retain(1...3, .retained)
        observe(.all)
        #expect(log.all == [3])
        center.post(Ping(number: 4))
        #expect(log.all == [3, 4])
    }

    @Test(arguments: [
        (PostingOptions.retained, Replay.all, [9]),
        (.retained(last: 3), .all, [7, 8, 9]),
        (.retained(last: 3), .last(1), [9]),
        (.retained(last: 3), .last(2), [8, 9]),
        (.retained(last: 3), .last(100), [7, 8, 9]),
        (.retained(last: 100), .all, Array(1...9)),
    ])
    func m18_theReplayIsWhatPosterAndObserverAgreeOn(
        options: PostingOptions,
        replay: Replay,
        told: [Int]
    ) {
        retain(1...9, options)
        observe(replay)
        #expect(log.all == told)
    }

    @Test func m18_inTheOwnerForms() {
        let owner = Owner()
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe(owner: owner) { $0.log($1.number) }
        center.post(Ping(number: 3))
        #expect(owner.log.all == [1, 2, 3])
    }

    @MainActor @Test func m18_onTheMainActorBeforeObserveReturns() {
        let owner = Owner()
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe(owner: owner, on: .main) {
            $0.log($1.number)
        }
        #expect(owner.log.all == [1, 2])
        center.messages(of: Ping.self).replaying(.last(1)).observe(on: .main) { [log] in
            log($0.number)
        }
        .store(in: bag)
        #expect(log.all == [2])
        center.post(Ping(number: 3))
        #expect(owner.log.all == [1, 2, 3])
        #expect(log.all == [2, 3])
    }

    @Test func m18_onTheMainActorFromElsewhereTheReplayIsFirst() async throws {
        let recorder = MessageRecorder(Pong.self, on: center)
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe(on: .main) { [center] in
            MainActor.assertIsolated()
            center.post(Pong(number: $0.number))
        }.store(in: bag)
        center.post(Ping(number: 3))
        await MainActor.run { _ = center.post(Ping(number: 4)) }
        #expect(try await recorder.first(4).map(\.number) == [1, 2, 3, 4])
    }

    @Test func m18_anAsynchronousHandlerHasTheReplayFirst() async {
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe { [log] message in
            await Task.yield()
            log(message.number)
        }.store(in: bag)
        await center.postAndWait(Ping(number: 3))
        #expect(log.all == [1, 2, 3])
    }

    @Test func m18_onAnActorTheReplayIsFirst() async {
        actor Place {
            var numbers: [Int] = []
            func add(_ number: Int) { numbers.append(number) }
        }
        let place = Place()
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe(on: place) { place, message in
            place.add(message.number)
        }
        await center.postAndWait(Ping(number: 3))
        #expect(await place.numbers == [1, 2, 3])
    }

    @Test func m18_whoWaitsForAPostWaitsForWhatTheReplayHoldsBack() async {
        struct Broken: Error {}
        let hasReached = DispatchSemaphore(value: 0)
        retain(1...1, .retained)
        // The turn of this handler comes after the gate has held the message back.
        center.messages(of: Ping.self).priority(.low).observe { _ in hasReached.signal() }.store(
            in: bag
        )
        let (center, log, bag) = (center, log, bag)
        let reports = Log<DeliveryReport>()
        let isDone = Gate()
        // This closure blocks and therefore needs a separate thread.
        await runOnThreads([
            {
                center.messages(of: Ping.self).replaying(.all).observe { message in
                    log(message.number)
                    guard message.number == 1 else { throw Broken() }
                    Task {
                        reports(await center.postAndWait(Ping(number: 2)))
                        isDone.open()
                    }
                    hasReached.wait()
                    log(0)
                }.store(in: bag)
            }
        ])
        try? await isDone.wait()
        #expect(log.all == [1, 0, 2])
        #expect(reports.all.map(\.failures.count) == [1])
    }

    @Test func m18_aSequenceHasTheReplayFirst() async {
        retain(1...2, .retained(last: 2))
        let messages = center.messages(of: Ping.self).replaying(.all).values
        center.post(Ping(number: 3))
        messages.cancel()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [1, 2, 3])
    }

    @Test func m18_liveMessagesWaitBehindTheReplayAndTheirPostDoesNot() {
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe { [center, log] message in
            log(message.number)
            guard message.number == 1 else { return }
            let isFree = finishesOnAnotherThread {
                for number in 3...4 { center.post(Ping(number: number)) }
            }
            log(isFree ? 0 : -1)
        }.store(in: bag)
        #expect(log.all == [1, 0, 2, 3, 4])
    }

    @Test func m18_aNestedPostOfTheReplayWaitsBehindIt() {
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe { [center, log] message in
            log(message.number)
            if message.number == 1 { center.post(Ping(number: 3), options: [.nested]) }
            log(-message.number)
        }.store(in: bag)
        #expect(log.all == [1, -1, 2, -2, 3, -3])
    }

    @Test func m18_aReplayInsideAHandlerOfTheSameCenterIsToldAtOnce() {
        center.post(Pong(number: 7), options: [.retained])
        center.messages(of: Ping.self).once().observe { [center, log, bag] _ in
            log(1)
            center.messages(of: Pong.self).replaying(.all).observe { [center] message in
                log(message.number)
                if message.number == 7 { center.post(Pong(number: 9)) }
            }.store(in: bag)
            log(2)
            center.post(Pong(number: 8))
        }.store(in: bag)
        center.post(Ping())
        // The posts of a replay come after the current post, as everywhere.
        #expect(log.all == [1, 7, 2, 9, 8])
    }

    @Test func m3_whatTheReplayPostsComesAfterItsLastMessage() {
        let token = center.observe(Pong.self) { [log] in log(10 * $0.number) }
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe { [center, log] message in
            log(message.number)
            center.post(Pong(number: message.number))
            log(-message.number)
        }.store(in: bag)
        token.cancel()
        #expect(log.all == [1, -1, 2, -2, 10, 20])
    }

    @Test func m18_aPostQueuedInAHandlerIsToldOnceToWhoObservesThere() {
        center.observe(Ping.self) { [center, log, bag] _ in
            center.post(Pong(number: 1), options: [.retained])
            center.messages(of: Pong.self).replaying(.all).observe { log($0.number) }.store(in: bag)
            center.post(Pong(number: 2))
        }.store(in: bag)
        center.post(Ping())
        #expect(log.all == [1, 2])
    }

    @Test func m18_clearingAffectsOnlyLaterObservers() {
        retain(1...3, .retained(last: 3))
        center.messages(of: Ping.self).replaying(.all).observe { [center, log] message in
            log(message.number)
            center.clearRetained(Ping.self)
        }.store(in: bag)
        #expect(log.all == [1, 2, 3])
        observe(.all)
        #expect(log.all == [1, 2, 3])
    }

    @Test func theRetainedCanBeRead() {
        let owner = Owner()
        retain(1...3, .retained(last: 2))
        center.post(Ping(number: 4), about: owner, options: [.retained])
        #expect(center.retained(Ping.self).map(\.number) == [2, 3, 4])
        #expect(center.retained(Ping.self, about: owner).map(\.number) == [4])
        #expect(center.retained(Pong.self).isEmpty)
        center.clearRetained(Ping.self)
        #expect(center.retained(Ping.self).isEmpty)
    }

    @Test func aRetainedPostReturnsItsRecipients() {
        #expect(center.post(Ping(number: 1), options: [.retained]) == 0)
        observe(.all)
        #expect(center.post(Ping(number: 2), options: [.retained]) == 1)
        #expect(log.all == [1, 2])
    }

    @Test func eachSubjectHasItsOwnLatest() {
        let (first, second) = (Owner(), Owner())
        for number in 1...2 {
            center.post(Ping(number: number), about: first, options: [.retained])
            center.post(Ping(number: 10 * number), about: second, options: [.retained])
        }
        center.messages(of: Ping.self).about(first).replaying(.all).observe { [log] in
            log($0.number)
        }
        .store(in: bag)
        #expect(log.all == [2])
        observe(.all)
        #expect(log.all == [2, 2, 20])
    }

    @Test func m10_whatWasAboutADeadObjectIsForgotten() {
        do {
            let owner = Owner()
            center.post(Ping(number: 1), about: owner, options: [.retained])
            #expect(center.retained(Ping.self).count == 1)
        }
        observe(.all)
        #expect(log.all == [])
        #expect(center.retained(Ping.self).isEmpty)
    }

    @Test func theFilterIsAskedAndOnceEndsWithTheFirstThatPasses() {
        retain(1...5, .retained(last: 5))
        center.messages(of: Ping.self).once().where { $0.number > 2 }.replaying(.all).observe {
            [log] in
            log($0.number)
        }.store(in: bag)
        center.post(Ping(number: 6))
        #expect(log.all == [3])
    }

    @Test func m16_anErrorOfAReplayGoesToTheHook() {
        struct Broken: Error {}
        center.addErrorHook { [log] _ in log(0) }.store(in: bag)
        retain(1...2, .retained(last: 2))
        center.messages(of: Ping.self).replaying(.all).observe { [log] message in
            log(message.number)
            if message.number == 1 { throw Broken() }
        }.store(in: bag)
        #expect(log.all == [1, 0, 2])
    }

    @Test func m9_noLockIsHeldInAReplayNorInTheDeinitOfWhatIsForgotten() {
        struct Heavy: Message { let canary: Canary }
        let use: @Sendable () -> Void = { [center, log] in
            let isFree = finishesOnAnotherThread {
                center.messages(of: Heavy.self).replaying(.all).observe { _ in }.cancel()
                center.post(Ping())
            }
            log(isFree ? 1 : -1)
        }
        center.post(Heavy(canary: Canary(use)), options: [.retained])
        center.post(Heavy(canary: Canary(use)), options: [.retained])
        #expect(log.all == [1])
        center.messages(of: Heavy.self).replaying(.all).observe { _ in use() }.store(in: bag)
        #expect(log.all == [1, 1])
        center.clearRetained(Heavy.self)
        #expect(log.all == [1, 1, 1])
    }

    @Test func aChannelIsDirectAgainAfterTheReplay() {
        retain(1...1, .retained)
        observe(.all)
        center.channel(of: Ping.self, on: .current).use {
            #expect($0.isDirect)
        }
    }

    @Test func aRetentionOfNoneIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = PostingOptions.retained(last: 0)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A center retains at least 1 message"))
    }

    @Test func twoWaysToRetainAMessageAreRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = [.retained, .nested, .retainedUntilHandled] as PostingOptions
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A message is retained in one way"))
    }

    @Test func aReplayOfNoneIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = Replay.last(0)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A replay has at least 1 message"))
    }
}
