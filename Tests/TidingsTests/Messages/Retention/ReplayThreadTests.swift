// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

/// Real threads that post, observe and end simultaneously.
@Suite(.timeLimit(.minutes(15)))
struct ReplayThreadTests {
    private static let posters = 3
    private static let messages = 200
    /// The distance between the first message numbers of two posters.
    private static let stride = 1_000_000

    private let center = MessageCenter()
    private let owners = (0..<Self.posters).map { _ in Owner() }

    @Test func m18_neverBothAndNeverNeither() async {
        let observers = 3
        let logs = (0..<observers).map { _ in Log<Log<Int>>() }
        let bag = ObservationBag()
        let posting = poster(options: .retained(last: Self.posters * Self.messages))
        let observing = logs.map { logs in
            { @Sendable [center] in
                for _ in 0..<30 {
                    let log = Log<Int>()
                    logs(log)
                    center.messages(of: Ping.self).replaying(.all).observe { log($0.number) }.store(
                        in: bag
                    )
                }
            }
        }
        await runOnThreads((0..<Self.posters).map(posting) + observing)
        // Each handler received everything once, in the order of each poster.
        for log in logs.flatMap(\.all) {
            #expect(byPoster(log.all).allSatisfy { $0 == Array(0..<Self.messages) })
        }
    }

    @Test func m18_neverBothAndNeverNeitherOfTheLatest() async {
        let logs = Log<Log<Int>>()
        let bag = ObservationBag()
        // Each poster has a latest message of its own.
        let posting = poster(aboutOwner: true, options: [.retained])
        let observing = { @Sendable [center] in
            for _ in 0..<60 {
                let log = Log<Int>()
                logs(log)
                center.messages(of: Ping.self).replaying(.all).observe { log($0.number) }.store(
                    in: bag
                )
            }
        }
        await runOnThreads((0..<Self.posters).map(posting) + [observing, observing])
        for log in logs.all {
            for heard in byPoster(log.all) {
                #expect(heard.last == Self.messages - 1)
                #expect(heard == Array((heard.first ?? 0)..<Self.messages))
            }
        }
    }

    @Test func m18_onTheMainActorNeverBothAndNeverNeither() async {
        let logs = Log<Log<Int>>()
        let bag = ObservationBag()
        let posting = poster(options: .retained(last: Self.posters * Self.messages))
        let observing = { @Sendable [center] in
            for _ in 0..<20 {
                let log = Log<Int>()
                logs(log)
                center.messages(of: Ping.self).replaying(.all).observe(on: .main) { log($0.number) }
                    .store(in: bag)
            }
        }
        await runOnThreads((0..<Self.posters).map(posting) + [observing, observing])
        // The queue of the main actor is in order, so this call comes last.
        await withCheckedContinuation { continuation in
            center.messages(of: Pong.self).once().observe(on: .main) { _ in continuation.resume() }
                .store(in: bag)
            center.post(Pong())
        }
        for log in logs.all {
            #expect(byPoster(log.all).allSatisfy { $0 == Array(0..<Self.messages) })
        }
    }

    @Test func m18_whatWaitsIsHandedOverOnceWhenManyRegisterAtTheSameMoment() async {
        for _ in 0..<50 {
            for number in 0..<20 {
                center.post(Ping(number: number), options: [.retainedUntilHandled])
            }
            let logs = (0..<4).map { _ in Log<Int>() }
            let bag = ObservationBag()
            await runOnThreads(
                logs.map { log in
                    { @Sendable [center] in
                        center.observe(Ping.self) { log($0.number) }.store(in: bag)
                    }
                }
            )
            bag.cancelAll()
            #expect(logs.map(\.all).filter { !$0.isEmpty } == [Array(0..<20)])
        }
    }

    @Test func m18_observersOfOneMessageEachTakeAnother() async {
        let count = 400
        for number in 0..<count {
            center.post(Ping(number: number), options: [.retainedUntilHandled])
        }
        let logs = (0..<4).map { _ in Log<Int>() }
        await runOnThreads(
            logs.map { log in
                { @Sendable [center] in
                    for _ in 0..<(count / 4) {
                        center.messages(of: Ping.self).once().observe { log($0.number) }.cancel()
                    }
                }
            }
        )
        #expect(logs.flatMap(\.all).sorted() == Array(0..<count))
        for log in logs { #expect(log.all == log.all.sorted()) }
    }

    @Test func m18_nothingIsLostOrHandedOverTwiceWhileObserversComeAndGo() async {
        let log = Log<Int>()
        let ended = Log<Bool>()
        let observing = { @Sendable [center] in
            var round = 0
            while ended.all.count < Self.posters {
                round += 1
                let isOdd = !round.isMultiple(of: 2)
                center.messages(of: Ping.self).once(if: isOdd).observe { log($0.number) }.cancel()
            }
        }
        let posting = poster(options: [.retainedUntilHandled])
        let bodies = (0..<Self.posters).map { index in
            { @Sendable in
                posting(index)()
                ended(true)
            }
        }
        await runOnThreads(bodies + [observing])
        center.observe(Ping.self) { log($0.number) }.cancel()
        #expect(byPoster(log.all).allSatisfy { $0 == Array(0..<Self.messages) })
    }

    /// The work of a poster's thread.
    private func poster(
        aboutOwner: Bool = false,
        options: PostingOptions
    ) -> @Sendable (Int) -> @Sendable () -> Void {
        { [center, owners] index in
            { @Sendable in
                let owner = owners[index]
                for number in 0..<Self.messages {
                    let message = Ping(number: index * Self.stride + number)
                    let post = { @Sendable in
                        let subject = aboutOwner ? owner : nil
                        center.post(message, about: subject, options: options)
                    }
                    if number.isMultiple(of: 7) {
                        // The post is made inside a handler, where posts are queued.
                        let token = center.messages(of: Pong.self).about(owner).observe { _ in
                            _ = post()
                        }
                        center.post(Pong(), about: owner)
                        token.cancel()
                    } else {
                        _ = post()
                    }
                }
            }
        }
    }

    /// The received numbers of each poster, in their order.
    private func byPoster(_ numbers: [Int]) -> [[Int]] {
        (0..<Self.posters).map { poster in
            numbers.filter { $0 / Self.stride == poster }.map { $0 % Self.stride }
        }
    }
}
