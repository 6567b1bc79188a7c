// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

/// Observers and posters that come after the center has finished.
@Suite(.timeLimit(.minutes(15)))
struct FinishedCenterTests {
    /// A way to observe, with a handler that keeps a canary.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let observe: @Sendable (MessageCenter, Owner, Place, Canary) -> ObservationToken

        init(
            _ name: String,
            _ observe: @escaping @Sendable (MessageCenter, Owner, Place, Canary) -> ObservationToken
        ) {
            testDescription = name
            self.observe = observe
        }
    }

    actor Place {}

    static let handlers = [
        Form("plain") { center, _, _, it in center.observe(Ping.self) { _ in it.stay() } },
        Form("filter, subject, once") { center, owner, _, it in
            center.messages(of: Ping.self).once().about(owner).where { _ in true }.observe {
                _ in it.stay()
            }
        },
        Form("replay") { center, _, _, it in
            center.messages(of: Ping.self).replaying(.all).observe { _ in it.stay() }
        },
        Form("owner") { center, owner, _, it in
            center.observe(Ping.self, owner: owner) { _, _ in it.stay() }
        },
        Form("main") { center, _, _, it in
            center.observe(Ping.self, on: .main) { _ in it.stay() }
        },
        Form("owner, main") { center, owner, _, it in
            center.messages(of: Ping.self).replaying(.all).observe(owner: owner, on: .main) {
                _,
                _ in it.stay()
            }
        },
        Form("changes") { center, _, _, it in
            center.messages(of: Ping.self).removingDuplicates().observe { _ in it.stay() }
        },
        Form("family") { center, owner, _, it in
            center.observe(owner: owner) { family in
                family.on(Ping.self) { _, _ in it.stay() }
                family.on(Ping.self, on: .main) { _, _ in it.stay() }
            }
        },
    ]

    static let queues = [
        Form("actor") { center, _, place, it in
            center.messages(of: Ping.self).observe(on: place) { _, _ in it.stay() }
        },
        Form("async") { center, _, _, it in
            center.messages(of: Ping.self).buffering(.oldest(1)).observe { _ in
                it.stay()
                await Task.yield()
            }
        },
        Form("async, owner") { center, owner, _, it in
            center.messages(of: Ping.self).buffering(.unbounded).observe(owner: owner) { _, _ in
                it.stay()
                await Task.yield()
            }
        },
        Form("async, main") { center, _, _, it in
            center.messages(of: Ping.self).observe { @MainActor _ in
                it.stay()
                await Task.yield()
            }
        },
    ]

    static let others = [
        Form("named") { center, _, _, it in
            center.messages(named: "name").observe { _ in it.stay() }
        },
        Form("named, owner, main") { center, owner, _, it in
            center.messages(named: "name").observe(owner: owner, on: .main) { _, _ in it.stay() }
        },
        Form("wildcard") { center, _, _, it in center.allMessages.observe { _ in it.stay() } },
        Form("wildcard, owner, main") { center, owner, _, it in
            center.allMessages.observe(owner: owner, on: .main) { _, _ in it.stay() }
        },
        Form("intercept") { center, _, _, it in
            center.messages(of: Ping.self).intercept { _ in
                it.stay()
                return .deliver
            }
        },
        Form("intercept all") { center, _, _, it in
            center.allMessages.intercept { _ in
                it.stay()
                return .deliver
            }
        },
        Form("while observed") { center, _, _, it in
            center.whileObserved(Ping.self, start: { it.stay() }, stop: {})
        },
    ]

    private let center = MessageCenter()
    private let log = Log<Int>()
    private let owner = Owner()
    private let place = Place()

    /// Observes in a form with a handler whose release is logged.
    private func observe(_ form: Form) -> ObservationToken {
        form.observe(center, owner, place, Canary { [log] in log(1) })
    }

    @Test(arguments: handlers + queues + others)
    func m15_anObservationHasEndedFromTheStart(form: Form) {
        center.finish()
        let token = observe(form)
        #expect(log.all == [1])
        #expect(center.observations().isEmpty)
        #expect(center.count(of: Ping.self) == 0)
        #expect(center.count(named: "name") == 0)
        #expect(center.post(Ping(), about: owner) == 0)
        #expect(center.post(named: "name") == 0)
        token.block()
        token.resume()
        token.cancel()
        token.cancel()
        #expect(log.all == [1])
    }

    @MainActor @Test(arguments: handlers + queues + others)
    func m15_anObservationIsReleasedByTheEnd(form: Form) {
        let token = observe(form)
        #expect(log.all == [])
        center.finish()
        #expect(log.all == [1])
        #expect(center.observations().isEmpty)
        token.cancel()
    }

    @Test func m15_aSequenceEndsAtOnce() async {
        center.post(Ping(), options: [.retained])
        center.finish()
        for await _ in center.messages(of: Ping.self).values { Issue.record("There is nothing.") }
        for await _ in center.messages(of: Ping.self).buffering(.oldest(1)).replaying(.all).values {
            Issue.record("There is nothing.")
        }
    }

    @Test func m15_postsOfEveryFormReachNobody() async throws {
        center.observe(Ping.self, owner: owner) { [log] _, _ in log(0) }
        center.allMessages.observe(owner: owner) { [log] _, _ in log(0) }
        let interceptor = center.allMessages.intercept { [log] _ in
            log(0)
            return .deliver
        }
        defer { interceptor.cancel() }
        let outcomes = Log<PostOutcome>()
        let token = center.watch(delivered: { outcomes($0.outcome) })
        center.finish()
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Ping(), about: owner) == 0)
        #expect(center.post(Ping(), options: [.nested]) == 0)
        #expect(center.post(Ping(), options: [.retainedUntilHandled]) == 0)
        #expect(center.post(named: "name", object: 1) == 0)
        let report = await center.postAndWait(Ping())
        #expect(report.recipients == 0)
        #expect(!report.isDelivered)
        #expect(outcomes.all == Array(repeating: .finished, count: 6))
        #expect(log.all == [])
        token.cancel()
        #expect(center.post(Ping()) == 0)
        #expect(outcomes.all.count == 6)
    }

    @Test func m15_whoBeginsToWatchAfterwardsSeesPosts() {
        center.finish()
        let outcomes = Log<PostOutcome>()
        let token = center.watch(delivered: { outcomes($0.outcome) })
        center.post(Ping())
        token.cancel()
        #expect(outcomes.all == [.finished])
    }

    @Test func m15_whatRunsWhileObservedIsStoppedAfterTheLastHandler() {
        let hook = center.whileObserved(
            Ping.self,
            start: { [log] in log(1) },
            stop: { [log] in log(3) }
        )
        center.observe(Ping.self, owner: owner) { [center] _, _ in center.finish() }
        center.observe(Ping.self, owner: owner) { [log] _, _ in log(2) }
        center.post(Ping())
        #expect(log.all == [1, 2, 3])
        center.observe(Ping.self, owner: owner) { _, _ in }
        hook.cancel()
        #expect(log.all == [1, 2, 3])
    }

    @Test func m15_whatStartedOnAnotherTypeIsStopped() {
        let hook = center.whileObserved(
            Ping.self,
            start: { [log] in log(1) },
            stop: { [log] in log(2) }
        )
        let token = center.observe(Ping.self) { _ in }
        #expect(log.all == [1])
        center.finish()
        #expect(log.all == [1, 2])
        token.cancel()
        hook.cancel()
        #expect(log.all == [1, 2])
    }
}
