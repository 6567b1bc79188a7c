// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTracing

/// The number that a post returns, which is the same with and without a watcher.
@Suite(.timeLimit(.minutes(15)))
struct RecipientCountTests {
    enum Form: CaseIterable {
        case typed
        case subject
        case wildcard
        case named
    }

    /// Keeps owners until they are released, the last one first.
    private final class Owners: Sendable {
        private let owners = Lock<[Owner]>([])

        /// Adds an owner and returns the new number of owners with the owner.
        func add() -> (owner: Owner, count: Int) {
            let owner = Owner()
            return owners.withLock { owners in
                owners.append(owner)
                return (owner, owners.count)
            }
        }

        func releaseLast() {
            let last = owners.withLock { $0.popLast() }
            withExtendedLifetime(last) {}
        }
    }

    private let center = MessageCenter()
    private let album = Canary()
    private let log = Log<Int>()
    private let owners = Owners()
    private let bag = ObservationBag()

    /// Observes for an owner that is kept only by `owners`.
    private func observe(_ form: Form, _ body: @escaping @Sendable () -> Void = {}) {
        let (owner, number) = owners.add()
        let call: @Sendable () -> Void = { [log] in
            log(number)
            body()
        }
        switch form {
        case .typed: center.observe(Ping.self, owner: owner) { _, _ in call() }
        case .subject:
            center.messages(of: Ping.self).about(album).observe(owner: owner) { _, _ in call() }
        case .wildcard: center.allMessages.observe(owner: owner) { _, _ in call() }
        case .named: center.observe(named: "Ping", owner: owner) { _, _ in call() }
        }
    }

    private func post(_ form: Form) -> Int {
        switch form {
        case .typed, .wildcard: center.post(Ping())
        case .subject: center.post(Ping(), about: album)
        case .named: center.post(named: "Ping")
        }
    }

    private func watch(_ isWatched: Bool) {
        if isWatched { center.watch(delivered: { _ in }).store(in: bag) }
    }

    @Test(arguments: Form.allCases, [false, true])
    func m4_anOwnerThatDiesDuringThePostWasAddressed(form: Form, isWatched: Bool) {
        watch(isWatched)
        observe(form) { [owners] in owners.releaseLast() }
        for _ in 0..<4 { observe(form) }
        #expect(post(form) == 5)
        #expect(log.all == [1, 2, 3, 4])
        // The first handler releases one more owner.
        #expect(post(form) == 4)
        #expect(log.all == [1, 2, 3, 4, 1, 2, 3])
    }

    @Test(arguments: Form.allCases, [false, true])
    func m4_anOwnerThatDiedBeforeThePostWasNot(form: Form, isWatched: Bool) {
        watch(isWatched)
        for _ in 0..<3 { observe(form) }
        owners.releaseLast()
        #expect(post(form) == 2)
        owners.releaseLast()
        #expect(post(form) == 1)
        owners.releaseLast()
        #expect(post(form) == 0)
        #expect(log.all == [1, 2, 1])
    }

    @Test(arguments: [false, true])
    func m4_whoIsCancelledDuringThePostWasAddressed(isWatched: Bool) {
        watch(isWatched)
        let tokens = Log<ObservationToken>()
        for _ in 0..<2 {
            let (owner, number) = owners.add()
            let token = center.observe(Ping.self, owner: owner) { [log] _, _ in
                log(number)
                for token in tokens.all { token.cancel() }
            }
            tokens(token)
        }
        #expect(center.post(Ping()) == 2)
        #expect(center.post(Ping()) == 0)
        #expect(log.all == [1])
    }

    /// A filter is the user's code too.
    @Test(arguments: [false, true])
    func m4_anOwnerThatAFilterReleasesWasAddressed(isWatched: Bool) {
        watch(isWatched)
        let releasing: @Sendable (Ping) -> Bool = { [owners] _ in
            owners.releaseLast()
            return false
        }
        center.messages(of: Ping.self).where(releasing).observe { _ in }.store(in: bag)
        observe(.typed)
        #expect(center.post(Ping()) == 2)
        #expect(log.all.isEmpty)
    }
}
