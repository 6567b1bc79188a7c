// SPDX-License-Identifier: Apache-2.0
import Testing

/// For each rule about the features of a center, histories that the rule refuses or must allow.
@Suite(.timeLimit(.minutes(15)))
struct HistoryFeatureTests: WrittenHistory {
    private enum ID {
        static let (plain, stopping, interceptor, once, odd) = (0, 1, 2, 3, 4)
        static let (replaying, about, everything, owned, sequence) = (5, 6, 7, 8, 9)
    }

    private struct Hooked: WrittenHistory {
        let program: ModelProgram
    }

    /// Messages 0 to 3 are plain, and 4 and 5 are retained until the next message.
    ///
    /// Message 6 is retained until handled, 7 is delivered depth first and 8 is about the owner.
    let program: ModelProgram = {
        var program = ModelProgram(observations: 10, owners: [[]])
        var observations = (0..<10).map { ModelObservation(id: $0) }
        observations[ID.stopping].form = .interceptor(.stop)
        observations[ID.interceptor].form = .interceptor(.drop)
        observations[ID.once].isOnce = true
        observations[ID.odd].filter = ModelChoice(modulus: 2, rest: 1)
        observations[ID.replaying].replay = .max
        observations[ID.about].about = .object(0)
        observations[ID.everything].place.kind = .everything
        observations[ID.owned].form = .owned(0)
        observations[ID.owned].failure = ModelChoice(modulus: 2)
        observations[ID.sequence].form = .sequence
        observations[ID.sequence].buffer = .newest(1)
        program.setup = observations.map { .observe($0) }
        var posts = (0..<9).map { ModelPost(number: $0) }
        posts[4].retention = .newest(1)
        posts[5].retention = .newest(1)
        posts[6].retention = .untilHandled
        posts[7].isNested = true
        posts[8].about = 0
        program.threads = [posts.map { .post($0) }]
        return program
    }()

    private func around(
        _ begin: ModelEvent,
        _ end: ModelEvent,
        on thread: Int = 0,
        _ inside: [(thread: Int, event: ModelEvent)] = []
    ) -> [(thread: Int, event: ModelEvent)] {
        [(thread, begin)] + inside + [(thread, end)]
    }

    private func replay(_ messages: Int...) -> [(thread: Int, event: ModelEvent)] {
        around(
            .observing(ID.replaying),
            .observed(ID.replaying),
            messages.flatMap { call(ID.replaying, $0) }
        )
    }

    private func recall(_ numbers: Int...) -> [(thread: Int, event: ModelEvent)] {
        around(.recalling(ModelPlace()), .recalled(ModelPlace(), numbers), on: 2)
    }

    @Test func anInterceptorThatStopsAMessageIsItsRecipient() {
        let both = observe(ID.stopping) + observe(ID.plain)
        #expect(violations(both + post(to: 1, call(ID.stopping))) == [])
        #expect(
            violations(both + post(to: 0, call(ID.stopping)))
                == ["interceptor 1 took 0, and it was posted to 0"]
        )
    }

    @Test func anInterceptorIsAskedAndDropsWhatItRefuses() {
        let both = observe(ID.interceptor) + observe(ID.plain)
        #expect(violations(both + post(to: 0, call(ID.interceptor))) == [])
        let passed = call(ID.interceptor, 1) + call(ID.plain, 1)
        #expect(violations(both + post(1, to: 1, passed)) == [])
        #expect(
            violations(both + post(to: 1, call(ID.interceptor) + call(ID.plain)))
                == ["interceptor 2 took 0, and it was posted to 1"]
        )
        #expect(
            violations(both + post(1, to: 1, call(ID.plain, 1)))
                == ["interceptor 2 did not receive 1"]
        )
    }

    @Test func onceIsOnce() {
        let events = observe(ID.once) + post(to: 1, call(ID.once))
        #expect(violations(events + post(1, to: 0)) == [])
        #expect(
            violations(events + post(1, to: 1, call(ID.once, 1))).contains(
                "3 was to be called once: [0, 1]"
            )
        )
    }

    @Test func aFilterLetsNothingElsePass() {
        let events = observe(ID.odd) + post(to: 1) + post(1, to: 1, call(ID.odd, 1))
        #expect(violations(events) == [])
        #expect(
            violations(observe(ID.odd) + post(to: 1, call(ID.odd)))
                == ["observation 4 received message 0"]
        )
    }

    @Test func whoIsBlockedIsPassedByUntilItIsResumed() {
        let block = around(
            .switching(ID.plain, isBlocked: true),
            .switched(ID.plain, isBlocked: true)
        )
        let resume = around(
            .switching(ID.plain, isBlocked: false),
            .switched(ID.plain, isBlocked: false)
        )
        let late = post(1, to: 1, call(ID.plain, 1))
        #expect(violations(observe(ID.plain) + block + post(to: 1) + resume + late) == [])
        #expect(
            violations(observe(ID.plain) + block + late) == ["0 received 1 while it was blocked"]
        )
    }

    @Test func m3_onlyWhatIsNestedComesInsideACall() {
        let inside = around(
            .calling(ID.plain, message: 0),
            .called(ID.plain, message: 0),
            post(7, to: 1, call(ID.plain, 7))
        )
        #expect(violations(observe(ID.plain) + post(to: 1, inside)) == [])
        let queued = around(
            .calling(ID.plain, message: 0),
            .called(ID.plain, message: 0),
            post(7, to: 1)
        )
        #expect(
            violations(observe(ID.plain) + post(to: 1, queued + call(ID.plain, 7)))
                == ["M2: the call of 0 with 7 is not within its turn"]
        )
    }

    @Test func m10_nothingAfterTheEndOfTheSubject() {
        let death: [(thread: Int, event: ModelEvent)] = [
            (1, .releasing(owner: 0)), (1, .dying(owner: 0)), (1, .died(owner: 0)),
            (1, .released(owner: 0)),
        ]
        let heard = observe(ID.about) + post(8, to: 1, call(ID.about, 8))
        #expect(violations(heard + death + post(to: 0)) == [])
        #expect(
            violations(observe(ID.about) + post(8, to: 1, death + call(ID.about, 8)))
                == ["M10: 6 received 8 after the end of 0"]
        )
        #expect(
            violations(observe(ID.about) + post(to: 1, call(ID.about)))
                .contains("observation 6 received message 0")
        )
    }

    @Test func m1_whoObservesEverythingHasItsPlace() {
        let both = observe(ID.everything) + observe(ID.plain)
        #expect(violations(both + post(to: 2, call(ID.everything) + call(ID.plain))) == [])
        #expect(
            violations(both + post(to: 2, call(ID.plain) + call(ID.everything)))
                == ["M1: 0 came before 7 with 0"]
        )
        #expect(
            violations(observe(ID.everything) + post(to: 1)) == ["M4: 7 did not receive 0"]
        )
    }

    @Test func m5_nothingAfterTheOwnersObservationsWereRemoved() {
        let removal = around(
            .removing(owner: 0, center: 0),
            .removed(owner: 0, center: 0, count: 1)
        )
        #expect(violations(observe(ID.owned) + removal + post(to: 0)) == [])
        #expect(
            violations(observe(ID.owned) + removal + post(to: 0, call(ID.owned))).contains(
                "M5: 8 received 0 after its end"
            )
        )
    }

    @Test func m14_aSequenceHoldsNoMoreThanItMay() {
        let events = observe(ID.sequence) + post(to: 1) + post(1, to: 1)
        let (fine, full) = (ModelBuffer(numbers: [1], dropped: 1), ModelBuffer(numbers: [0, 1]))
        #expect(violations(events, held: [ID.sequence: fine]) == [])
        #expect(violations(events, held: [ID.sequence: full]).count == 1)
        let lost = ModelBuffer(numbers: [], dropped: 1)
        #expect(violations(events, held: [ID.sequence: lost]).count == 1)
    }

    @Test func m18_whatIsRetainedIsToldAndNothingElse() {
        let posts = post(4, to: 0) + post(5, to: 0)
        #expect(violations(posts + replay(5)) == [])
        #expect(violations(posts + replay()) == ["M18: 5 was not told of 5"])
        #expect(violations(posts + replay(4, 5)) == ["M18: 5 was told of 4, long gone"])
        let forget = around(.forgetting(ModelPlace()), .forgotten(ModelPlace()))
        #expect(violations(posts + forget + replay()) == [])
        #expect(
            violations(posts + forget + replay(5)) == ["M18: 5 was told of 5, long gone"]
        )
    }

    @Test func m18_whatIsRetainedComesFirst() {
        let live = around(
            .posting(0),
            .posted(0, recipients: 1),
            on: 1,
            [
                (0, .observing(ID.replaying)), (0, .calling(ID.replaying, message: 0)),
                (0, .called(ID.replaying, message: 0)), (0, .calling(ID.replaying, message: 4)),
                (0, .called(ID.replaying, message: 4)), (0, .observed(ID.replaying)),
            ]
        )
        #expect(violations(post(4, to: 0) + live) == ["M18: 5 was told of 4 too late"])
    }

    @Test func m18_whatWaitsIsHandedOverOnceAndNotLost() {
        let waiting = post(6, to: 0)
        let taken = around(.observing(ID.plain), .observed(ID.plain), call(ID.plain, 6))
        #expect(violations(waiting + recall(6)) == [])
        #expect(violations(waiting + taken + recall()) == [])
        #expect(violations(waiting + recall()) == ["M18: 6 is lost"])
        #expect(
            violations(waiting + taken + recall(6)) == ["M18: 6 waits, and [0] took it"]
        )
        let twice = around(.observing(ID.replaying), .observed(ID.replaying), call(5, 6))
        #expect(
            violations(waiting + taken + twice + recall())
                == ["M18: 6 was handed over to [0, 5]"]
        )
    }

    @Test func m16_theHookIsToldOfEachFailureOnce() {
        let thrown = observe(ID.owned) + post(to: 1, call(ID.owned))
        let told = around(.failing(ID.owned, message: 0), .failed(ID.owned, message: 0))
        #expect(violations(thrown + told) == [])
        #expect(violations(thrown) == ["M16: thrown [[8, 0]], told []"])
        #expect(violations(thrown + told + told).count == 1)
    }

    @Test func m17_theHookIsToldOnceOfWhatNobodyHeard() {
        var hooked = program
        hooked.hasUnhandledHook = true
        let history = Hooked(program: hooked)
        let told = around(.missing(0), .missed(0))
        #expect(history.violations(post(to: 0, told)) == [])
        #expect(history.violations(post(to: 0)) == ["M17: told 0 times of 0, heard by 0"])
        #expect(history.violations(post(to: 0, told + told)).count == 1)
        let heard = observe(ID.plain) + post(to: 1, told + call(ID.plain))
        #expect(history.violations(heard).count == 1)
    }

    @Test func aBlockedCenterReachesNobodyUntilItIsResumed() {
        func silence(_ isBlocked: Bool) -> [(thread: Int, event: ModelEvent)] {
            around(
                .silencing(center: 0, isBlocked: isBlocked),
                .silenced(center: 0, isBlocked: isBlocked)
            )
        }
        let blocked = observe(ID.plain) + silence(true)
        let resumed = silence(false) + post(1, to: 1, call(ID.plain, 1))
        #expect(violations(blocked + post(to: 0) + resumed) == [])
        #expect(
            violations(blocked + post(to: 1, call(ID.plain)))
                == ["0 was posted to a blocked center"]
        )
        #expect(
            violations(blocked + silence(false) + post(1, to: 0))
                == ["M4: 0 did not receive 1", "M4: post 1 returned 0, there were 1 to 1"]
        )
    }

    @Test func aFinishedCenterReachesNobodyAndCompletesWhatWasPosted() {
        let finish = around(.finishing(center: 0), .finished(center: 0))
        let inside = around(
            .calling(ID.plain, message: 0),
            .called(ID.plain, message: 0),
            post(1, to: 1) + finish + post(2, to: 0)
        )
        let queued = post(to: 1, inside + call(ID.plain, 1))
        #expect(violations(observe(ID.plain) + queued) == [])
        #expect(
            violations(observe(ID.plain) + post(to: 1, inside))
                == ["M4: 0 did not receive 1"]
        )
        #expect(
            violations(observe(ID.plain) + finish + post(to: 1, call(ID.plain))).contains(
                "0 was posted to a center that had finished"
            )
        )
    }
}
