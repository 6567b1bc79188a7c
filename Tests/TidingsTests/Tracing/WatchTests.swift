// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTracing

private struct Plain: Message { let secret = "no business of yours" }
private struct Open: Message {
    static var tracing: MessageTracing { .described }
    let page: Int
}
private struct Hidden: Message {
    static var tracing: MessageTracing { .hidden }
}

@Suite(.timeLimit(.minutes(15)))
struct WatchTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    @Test func aPostIsShownBeforeItsFirstHandlerAndAfterItsLast() {
        center.watch(
            posting: { [log] posting in log("posting \(posting.name)") },
            delivered: { [log] delivery in log("delivered \(delivery.name)") }
        ).store(in: bag)
        for name in ["a", "b"] {
            center.observe(Ping.self) { [log] _ in log(name) }.store(in: bag)
        }
        center.post(Ping())
        #expect(log.all == ["posting Ping", "a", "b", "delivered Ping"])
    }

    @Test func bothRecordsHaveOneNumberAndNoOtherPostHasIt() {
        let numbers = Log<UInt64>()
        center.watch(
            posting: { posting in numbers(posting.number) },
            delivered: { delivery in numbers(delivery.number) }
        ).store(in: bag)
        center.post(Ping())
        center.post(Ping())
        #expect(numbers.all.count == 4)
        #expect(numbers.all.first == numbers.all.dropFirst().first)
        #expect(Set(numbers.all).count == 2)
    }

    @Test func aPostingTellsWhereItWasMadeAndWhatItIsAbout() {
        let album = Owner()
        center.watch(posting: { [log] posting in
            log("\(posting.location) \(posting.subject ?? "-") \(posting.recipients)")
        }).store(in: bag)
        center.observe(Ping.self) { _ in }.store(in: bag)
        center.post(Ping(), line: 7)
        center.post(Ping(), about: album, line: 8)
        center.post(Pong(), line: 9)
        let file = "TidingsTests/WatchTests.swift"
        #expect(log.all == ["\(file):7 - 1", "\(file):8 Owner 1", "\(file):9 - 0"])
    }

    @Test func aMessageShowsItsContentOnlyIfItsTypeSaysSo() {
        center.watch(
            posting: { [log] posting in log("\(posting.name) \(posting.detail ?? "-")") },
            delivered: { [log] delivery in log("\(delivery.name) \(delivery.detail ?? "-")") }
        ).store(in: bag)
        center.post(Plain())
        center.post(Open(page: 4))
        center.post(Hidden())
        let described = "Open Open(page: 4)"
        #expect(log.all == ["Plain -", "Plain -", described, described])
    }

    @Test func theLevelTellsHowDeepAPostWasMadeAndTheCauseByWhich() {
        let records = Log<DeliveryRecord>()
        center.watch(delivered: { records($0) }).store(in: bag)
        center.observe(Ping.self) { [center] message in
            if message.number == 0 { center.post(Ping(number: 1)) }
            if message.number == 1 { center.post(Pong(), options: [.nested]) }
        }.store(in: bag)
        center.post(Ping())
        center.post(Pong())
        // The nested post is over before the post that made the nested one.
        let levels = records.all.map { "\($0.name) \($0.level)" }
        #expect(levels == ["Ping 0", "Pong 2", "Ping 1", "Pong 0"])
        guard records.all.count == 4 else { return }
        let causes = records.all.map(\.cause)
        #expect(causes == [nil, records.all[2].number, records.all[0].number, nil])
    }

    @Test func whatAHiddenMessageBringsAboutCountsForTheShownOneBeforeIt() {
        let records = Log<DeliveryRecord>()
        center.watch(delivered: { records($0) }).store(in: bag)
        center.observe(Ping.self) { [center] _ in center.post(Hidden()) }.store(in: bag)
        center.observe(Hidden.self) { [center] _ in center.post(Pong()) }.store(in: bag)
        center.post(Ping())
        #expect(records.all.map { "\($0.name) \($0.level)" } == ["Ping 0", "Pong 1"])
        #expect(records.all.last?.cause == records.all.first?.number)
    }

    @Test func aWatcherIsNotShownWhatItPosts() {
        center.watch(
            posting: { [center, log] posting in
                log("posting \(posting.name)")
                center.post(Pong(), options: [.nested])
            },
            delivered: { [center, log] delivery in
                log("delivered \(delivery.name)")
                center.post(Pong())
            }
        ).store(in: bag)
        center.watch(posting: { [log] posting in log("other \(posting.name)") }).store(in: bag)
        center.observe(Pong.self) { [log] _ in log("pong") }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["posting Ping", "pong", "other Ping", "delivered Ping", "pong"])
    }

    @Test func aWatcherIsNotShownWhatTheHandlersOfItsOwnPostsPost() {
        center.watch(posting: { [center, log] posting in
            log(posting.name)
            center.post(Pong())
        }).store(in: bag)
        center.observe(Pong.self) { [center] _ in center.post(Ping()) }.store(in: bag)
        center.observe(Ping.self) { [log] _ in log("ping") }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["Ping", "ping", "ping"])
        center.post(Ping())
        #expect(log.all == ["Ping", "ping", "ping", "Ping", "ping", "ping"])
    }

    @MainActor @Test func aWatcherIsNotShownWhatItsOwnPostBringsAboutOnTheMainActor() async {
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        center.watch(posting: { [center, log] posting in
            log(posting.name)
            center.post(Pong())
        }).store(in: bag)
        center.observe(Pong.self, on: .main) { [center] _ in center.post(Open(page: 1)) }
            .store(in: bag)
        center.observe(Open.self) { _ in step.yield() }.store(in: bag)
        let isDone = finishesOnAnotherThread { [center] in center.post(Ping()) }
        #expect(isDone)
        var iterator = steps.makeAsyncIterator()
        await iterator.next()
        #expect(log.all == ["Ping"])
    }

    @Test func aCancelledWatcherIsToldNothing() {
        let token = center.watch(
            posting: { [log] _ in log("posting") },
            delivered: { [log] _ in log("delivered") }
        )
        center.post(Ping())
        token.cancel()
        center.post(Ping())
        #expect(log.all == ["posting", "delivered"])
    }

    @Test func aWatcherEndedByAHandlerIsNotToldOfTheRest() {
        let tokens = Log<ObservationToken>()
        tokens(center.watch(delivered: { [log] _ in log("delivered") }))
        center.observe(Ping.self) { _ in tokens.all.first?.cancel() }.store(in: bag)
        center.post(Ping())
        center.post(Ping())
        #expect(log.all == [])
    }

    @Test func anotherCentersPostsAreNotShown() {
        let other = MessageCenter()
        other.watch(posting: { [log] _ in log("other") }).store(in: bag)
        center.post(Ping())
        #expect(log.all == [])
    }

    @Test func aTraceIsASequenceOfDeliveries() async {
        let trace = center.trace()
        center.post(Ping())
        center.post(Pong())
        trace.cancel()
        center.post(Ping())
        var names: [String] = []
        for await delivery in trace { names.append(delivery.name) }
        #expect(names == ["Ping", "Pong"])
    }

    @Test func aTraceThatNobodyReadsKeepsTheNewest() {
        let trace = center.trace()
        for _ in 0..<1_005 { center.post(Ping()) }
        #expect(trace.dropped == 5)
    }

    @Test func watchingFromEightThreadsWhileEightPost() async {
        await withTaskGroup { [center] group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let token = center.watch(posting: { _ in }, delivered: { _ in })
                        center.post(Ping(number: number))
                        token.cancel()
                    }
                }
            }
        }
        let token = center.watch(posting: { [log] _ in log("last") })
        center.post(Ping())
        token.cancel()
        center.post(Ping())
        #expect(log.all == ["last"])
    }
}
