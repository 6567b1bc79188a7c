// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// Observers of a key that receive the data of another key during the load.
@Suite(.timeLimit(.minutes(15)))
struct PreviousDataTests {
    /// The ways in which data becomes outdated.
    enum Outdating: CaseIterable {
        case family, reset, resource, resourceReset, publisher, publisherReset
    }

    private let scripts = FamilyScripts()
    private let log = Log<String>()

    private func family() -> ResourceFamily<Int, Int> {
        let family = scripts.family()
        family[1].publisher.updateData(10)
        return family
    }

    private func outdate(_ way: Outdating, _ family: ResourceFamily<Int, Int>) {
        switch way {
        case .family: family.invalidate { $0 == 1 }
        case .reset, .resourceReset: family[1].reset()
        case .resource: family[1].invalidate()
        case .publisher: family[1].publisher.invalidate()
        case .publisherReset: family[1].publisher.reset()
        }
    }

    @Test func s12_previousDataIsShownWhileTheNewKeyLoads() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let token = family.states(of: 2, previous: 1).observe { log(text($0)) }
        #expect(text(family[2].state) == "loading -")
        #expect(family[2].lastData == nil)
        async let answer = family[2].refresh()
        scripts[2].answer(1, .success(20))
        _ = try await answer
        #expect(log.all == ["loading 10", "loaded 20"])
        token.cancel()
    }

    @Test func s12_otherObserversOfTheNewKeyDoNotSeeIt() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let tokens = [
            family.states(of: 2, previous: 1).observe { _ in },
            family.states(of: 2).observe { log(text($0)) },
            family.states(of: 2, previous: 9).observe { log(text($0)) },
            family[2].publisher.observe { log(text($0)) },
        ]
        #expect(log.all == Array(repeating: "loading -", count: 3))
        for token in tokens { token.cancel() }
    }

    @Test(arguments: Outdating.allCases)
    func s12_previousDataIsWithdrawnWhenItsKeyIsInvalidated(_ way: Outdating) async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let selection = family.states(of: 2, previous: 1)
        let token = selection.observe { log(text($0)) }
        outdate(way, family)
        #expect(log.all == ["loading 10", "loading -"])
        let late = selection.observe { log(text($0)) }
        #expect(log.all.last == "loading -")
        token.cancel()
        late.cancel()
    }

    @Test func s12_aResetOfTheFamilyWithdrawsPreviousData() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let token = family.states(of: 2, previous: 1).observe { log(text($0)) }
        family.reset()
        #expect(log.all.first == "loading 10")
        #expect(log.all.last == "unknown")
        family[2].refreshIfNeeded()
        #expect(log.all.last == "loading -")
        token.cancel()
    }

    @Test func s12_dataThatWasInvalidatedBeforeIsNotShown() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        family.invalidate { $0 == 1 }
        let token = family.states(of: 2, previous: 1).observe { log(text($0)) }
        #expect(log.all == ["loading -"])
        token.cancel()
    }

    @Test func s12_previousDataIsWithdrawnThoughItsEntryWasReleased() async throws {
        let family = scripts.family(idleLimit: 1)
        family[1].publisher.updateData(10)
        let token = family.states(of: 2, previous: 1).observe { log(text($0)) }
        for key in 3...9 { _ = family[key] }
        try await scripts.begin(2, of: family)
        family.invalidate { $0 == 1 }
        #expect(log.all == ["unknown", "loading 10", "loading -"])
        token.cancel()
    }

    @Test func previousDataIsShownUntilTheFirstDataOnly() async throws {
        let family = family()
        let token = family.states(of: 2, previous: 1).observe { log(text($0)) }
        family[2].publisher.startLoading()
        family[2].publisher.updateData(20)
        family[2].publisher.reset()
        family[2].publisher.startLoading()
        #expect(log.all == ["unknown", "loading 10", "loaded 20", "unknown", "loading -"])
        token.cancel()
    }

    @Test func aFailureEndsPreviousData() async throws {
        let family = family()
        let token = family.states(of: 2, previous: 1).observe { state in
            log(state.error == nil ? text(state) : "error")
        }
        family[2].publisher.startLoading()
        family[2].publisher.setError(LoadFailure())
        family[2].publisher.startLoading()
        #expect(log.all == ["unknown", "loading 10", "error", "loading -"])
        token.cancel()
    }

    @Test func previousDataReachesSequencesMailboxesAndSingleElements() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let selection = family.states(of: 2, previous: 1)
        var values = selection.values.makeAsyncIterator()
        #expect(await values.next().map { text($0) } == "loading 10")
        #expect(try await text(selection.next().value) == "loading 10")
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        let token = selection.observe { state async in continuation.yield(text(state)) }
        for await text in texts {
            #expect(text == "loading 10")
            break
        }
        #expect(token.pending == 0)
        token.cancel()
    }

    @MainActor @Test func previousDataReachesScreensAndTheirFilters() async throws {
        let family = family()
        try await scripts.begin(2, of: family)
        let owner = Owner()
        family.states(of: 2, previous: 1).where { $0.value == 10 }.observe(owner: owner, on: .main)
        {
            owner,
            state in owner.log(state.value ?? 0)
        }
        #expect(owner.log.all == [10])
    }

    @Test func m9_previousDataIsReleasedWithoutALock() async throws {
        let family = ResourceFamily<Int, Canary> { _ in Canary() }
        family[1].publisher.updateData(
            Canary { [log, weak family] in
                let isFree = finishesOnAnotherThread {
                    _ = family?[2].state
                    family?.invalidate { $0 == 1 }
                }
                log(isFree ? "free" : "locked")
            }
        )
        let selection = family.states(of: 2, previous: 1)
        let token = selection.observe { _ in }
        family[1].reset()
        #expect(log.all == ["free"])
        token.cancel()
    }
}
