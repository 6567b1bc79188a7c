// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct ClaimsTests {
    @Test func b4_aMessageIsDoneForOthersOnlyAfterItsCompletion() {
        var claims = Claims()
        #expect(claims.insert("1", by: "a") == .granted)
        #expect(claims.insert("1", by: "a") == .granted)
        #expect(claims.insert("1", by: "b") == .inWork)
        // Only the owner completes a claim.
        _ = claims.complete("1", by: "b")
        #expect(claims.insert("1", by: "b") == .inWork)
        _ = claims.complete("1", by: "a")
        #expect(claims.insert("1", by: "b") == .done)
    }

    @Test func b4_theEndOfABridgeReleasesWhatItHasInWork() {
        var claims = Claims()
        for (id, owner) in [("1", "a"), ("2", "a"), ("3", "c")] { _ = claims.insert(id, by: owner) }
        _ = claims.complete("1", by: "a")
        let calls = Lock<[String]>([])
        let waits = ["1", "2", "3", "4"].map { id in
            claims.wait(for: id) { calls.withLock { $0.append(id) } }
        }
        #expect(waits == [false, true, true, false])
        for action in claims.releaseWork(by: "a") { action() }
        #expect(calls.withLock { $0 } == ["2"])
        let outcomes = ["1", "2", "3"].map { claims.insert($0, by: "b") }
        #expect(outcomes == [.done, .granted, .inWork])
    }

    @Test(arguments: [true, false])
    func b4_theEndOfTheWorkCallsWhoWaitsForItOnce(isDone: Bool) {
        var claims = Claims()
        for id in ["1", "2"] { _ = claims.insert(id, by: "a") }
        let calls = Lock<[String]>([])
        for id in ["1", "1", "2"] {
            #expect(claims.wait(for: id) { calls.withLock { $0.append(id) } })
        }
        #expect(claims.isAwaited("1") && !claims.isAwaited("3"))
        for _ in 1...2 {
            let actions = isDone ? claims.complete("1", by: "a") : claims.release("1", by: "a")
            for action in actions { action() }
        }
        #expect(calls.withLock { $0 } == ["1", "1"] && !claims.isAwaited("1"))
    }

    @Test func b5_onlyWorkInHandIsReleased() {
        var claims = Claims()
        for id in ["1", "2"] { _ = claims.insert(id, by: "a") }
        _ = claims.complete("1", by: "a")
        for id in ["1", "2"] { _ = claims.release(id, by: "a") }
        #expect(claims.insert("1", by: "b") == .done)
        #expect(claims.insert("2", by: "b") == .granted)
        // Only the owner releases a claim.
        _ = claims.release("2", by: "a")
        #expect(claims.insert("2", by: "a") == .inWork)
    }

    @Test func b14_theOldestClaimsAreForgottenExceptThoseInWork() {
        var claims = Claims(limit: 4)
        for id in 1...5 {
            _ = claims.insert("\(id)", by: "a")
            if id != 2 { _ = claims.complete("\(id)", by: "a") }
        }
        let outcomes = [2, 3, 4, 5, 1].map { claims.insert("\($0)", by: "b") }
        #expect(outcomes == [.inWork, .done, .done, .done, .granted])
    }
}
