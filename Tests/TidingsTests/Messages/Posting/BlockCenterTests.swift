// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

/// A center that lets everything pass by for a while.
@Suite(.timeLimit(.minutes(15)))
struct BlockCenterTests {
    private protocol Listener: AnyObject, Sendable {
        func listen()
    }

    private final class Ear: Listener {
        let log = Log<Int>()
        func listen() { log(1) }
    }

    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func observeAll() {
        center.observe(Ping.self) { [log] in log("type \($0.number)") }.store(in: bag)
        center.allMessages.observe { [log] _ in log("all") }.store(in: bag)
        center.messages(named: "name").observe { [log] _ in log("name") }.store(in: bag)
        center.messages(of: Ping.self).priority(.high).intercept { [log] in
            log("interceptor \($0.number)")
            return .deliver
        }.store(in: bag)
        center.addUnhandledHook { [log] _ in log("unhandled") }.store(in: bag)
    }

    @Test func m5_afterItHasBlockedNoCallBegins() {
        observeAll()
        center.block()
        center.block()
        #expect(center.isBlocked)
        #expect(center.post(Ping(number: 1)) == 0)
        #expect(center.post(Ping(number: 2), options: [.nested, .retained]) == 0)
        #expect(center.post(named: "name") == 0)
        #expect(throws: TidingsError.self) {
            try center.post(Ping(number: 3), requiring: .recipient)
        }
        #expect(log.all == [])
        #expect(center.retained(Ping.self) == [])
    }

    @Test func m4_afterItIsResumedMessagesReachAllAgain() {
        observeAll()
        center.block()
        center.post(Ping(number: 1))
        center.resume()
        center.resume()
        #expect(!center.isBlocked)
        #expect(center.post(Ping(number: 2)) == 2)
        #expect(log.all == ["interceptor 2", "type 2", "all"])
    }

    @Test func aBlockInsideAHandlerConcernsTheNextPost() {
        center.observe(Ping.self) { [center, log] message in
            log("first \(message.number)")
            center.block()
            #expect(center.post(Ping(number: 2)) == 0)
        }.store(in: bag)
        center.observe(Ping.self) { [log] in log("second \($0.number)") }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == ["first 1", "second 1"])
    }

    @Test func messagesThatWaitAreDelivered() async {
        let token = center.messages(of: Ping.self).buffering(.unbounded).observe { [log] in
            log("\($0.number)")
        }
        center.post(Ping(number: 1))
        center.block()
        #expect(await center.postAndWait(Ping(number: 2)).recipients == 0)
        center.resume()
        await center.postAndWait(Ping(number: 3))
        #expect(log.all == ["1", "3"])
        token.cancel()
    }

    @Test func registeredObjectsAreNotCalled() throws {
        let ear = Ear()
        try center.register((any Listener).self, observer: ear)
        center.block()
        #expect(center.notify((any Listener).self) { $0.listen() } == 0)
        #expect(center.isRegistered((any Listener).self, observer: ear))
        center.resume()
        #expect(center.notify((any Listener).self) { $0.listen() } == 1)
        #expect(ear.log.all == [1])
    }

    @Test func watchersSeeABlockedPost() {
        let token = center.watch(delivered: { [log] in log("\($0.outcome)") })
        center.block()
        center.post(Ping())
        #expect(log.all == ["intercepted"])
        token.cancel()
    }

    @Test func aCenterThatIsResumedTakesNoDetour() {
        center.observe(Ping.self) { _ in }.store(in: bag)
        center.block()
        center.resume()
        #expect(center.channel(of: Ping.self, on: .current).use { $0.isDirect })
    }

    @Test func fourThreadsThatBlockAndResumeLeaveItAsTheLastDid() async {
        let ear = Ear()
        try? center.register((any Listener).self, observer: ear)
        await runOnThreads(
            (0..<4).map { _ in
                { [center] in
                    for _ in 1...100 {
                        center.block()
                        center.resume()
                    }
                }
            }
        )
        #expect(!center.isBlocked)
        #expect(center.notify((any Listener).self) { $0.listen() } == 1)
        #expect(center.channel(of: Ping.self, on: .current).use { $0.isDirect })
    }
}
