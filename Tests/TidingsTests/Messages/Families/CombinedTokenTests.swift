// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

private struct Entered: Message {}

@Suite(.timeLimit(.minutes(15)))
struct CombinedTokenTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    private func makeToken(_ owner: Owner) -> ObservationToken {
        ObservationToken(combining: [
            center.observe(Ping.self) { [log] _ in log("ping") },
            center.observe(Pong.self) { [log] _ in log("pong") },
            center.observe(Ping.self, owner: owner) { [log] _, _ in log("owner") },
        ])
    }

    private func post() {
        center.post(Ping())
        center.post(Pong())
    }

    @Test func cancellingEndsAll() {
        let owner = Owner()
        let token = makeToken(owner)
        post()
        #expect(log.all == ["ping", "owner", "pong"])
        token.cancel()
        token.cancel()
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Pong()) == 0)
        withExtendedLifetime(owner) {}
    }

    @Test func m7_droppingItDropsTheTokens() {
        let owner = Owner()
        do {
            let token = makeToken(owner)
            withExtendedLifetime(token) {}
        }
        post()
        #expect(log.all == ["owner"])
        withExtendedLifetime(owner) {}
    }

    @Test func blockingReachesAll() {
        let owner = Owner()
        let token = makeToken(owner)
        token.block()
        #expect(token.isBlocked)
        #expect(center.post(Ping()) == 2)
        token.resume()
        #expect(!token.isBlocked)
        post()
        #expect(log.all == ["ping", "owner", "pong"])
        withExtendedLifetime(owner) {}
    }

    @Test func itIsBlockedWhenAllOfItAre() {
        let parts = [center.observe(Ping.self) { _ in }, center.observe(Pong.self) { _ in }]
        let token = ObservationToken(combining: parts)
        parts[0].block()
        #expect(!token.isBlocked)
        parts[1].block()
        #expect(token.isBlocked)
        #expect(!ObservationToken(combining: []).isBlocked)
    }

    @Test func itsQueuesAreCountedTogetherAndCancelAndWaitWaitsForAll() async throws {
        let gate = Gate()
        let (entered, finished) = (Log<Int>(), Log<Int>())
        let both = MessageRecorder(Entered.self, on: center)
        let parts = (1...2).map { number in
            center.messages(of: Ping.self).buffering(.newest(1)).observe { [center] _ in
                entered(number)
                center.post(Entered())
                // This task is not cancelled with the task of the call.
                try? await Task { try await gate.wait() }.value
                finished(number)
            }
        }
        let token = ObservationToken(combining: parts)
        center.post(Ping())
        _ = try await both.first(2)
        for _ in 0..<3 { center.post(Ping()) }
        #expect(token.pending == 2)
        #expect(token.dropped == 4)
        // Pending calls are gone before the running calls may go on.
        token.cancel()
        gate.open()
        await token.cancelAndWait()
        #expect(finished.all.count == 2)
        #expect(entered.all.count == 2)
    }

    @Test func combinedTokensCombine() {
        let owner = Owner()
        let token = ObservationToken(combining: [makeToken(owner), makeToken(owner)])
        token.block()
        post()
        #expect(log.all.isEmpty)
        token.cancel()
        #expect(!center.hasObservers(of: Ping.self))
        withExtendedLifetime(owner) {}
    }

    @Test func theCommonTokenIsOneReference() {
        let token = center.observe(Ping.self) { _ in }
        let children = Mirror(reflecting: token).children.map(\.value)
        #expect(children.count == 1)
        #expect(children.allSatisfy { type(of: $0) is AnyObject.Type })
        token.cancel()
    }
}
