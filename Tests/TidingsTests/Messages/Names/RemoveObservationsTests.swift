// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct RemoveObservationsTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    /// Observes with each form that takes an owner.
    private func observe(_ owner: Owner, _ mark: String) {
        let subject = self.subject
        center.observe(Ping.self, owner: owner) { [log] _, _ in log("\(mark) type") }
        center.messages(of: Ping.self).about(subject).observe(owner: owner) { [log] _, _ in
            log("\(mark) subject")
        }
        center.observe(named: "A", owner: owner) { [log] _, _ in log("\(mark) name") }
        center.allMessages.observe(owner: owner) { [log] _, _ in log("\(mark) all") }
        center.observe(UntypedMessage.self, owner: owner) { [log] _, _ in log("\(mark) untyped") }
    }

    private let subject = Owner()

    private func postAll() -> Int {
        center.post(Ping(), about: subject) + center.post(named: "A")
    }

    @Test func originB3_everyObservationOfAnObjectIsRemovedAndNoOther() throws {
        let (a, b) = (Owner(), Owner())
        observe(a, "a")
        observe(b, "b")
        let plain = center.observe(Ping.self) { [log] _ in log("plain") }
        #expect(postAll() == 13)
        #expect(try center.removeObservations(of: a) == 5)
        let before = log.all.count
        #expect(postAll() == 7)
        let after = log.all.dropFirst(before)
        #expect(
            after == [
                "b type", "b subject", "b all", "plain", "b name", "b all", "b untyped",
            ]
        )
        plain.cancel()
        withExtendedLifetime((a, b)) {}
    }

    @Test func originB3_anObjectThatOwnsNothingIsNotFound() throws {
        let (owner, other) = (Owner(), Owner())
        observe(other, "other")
        let error = #expect(throws: TidingsError.self) {
            try center.removeObservations(of: owner)
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.hasPrefix("Owner owns no observation on this center.") == true)
        #expect(error?.location.hasPrefix("TidingsTests/RemoveObservationsTests.swift:") == true)
        observe(owner, "owner")
        #expect(try center.removeObservations(of: owner) == 5)
        #expect(throws: TidingsError.self) { try center.removeObservations(of: owner) }
        withExtendedLifetime(other) {}
    }

    @Test func originB5_anObjectAtTheAddressOfADeadOneOwnsNothing() {
        var addresses: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<500 {
            let owner = Owner()
            if !addresses.insert(ObjectIdentifier(owner)).inserted { reused += 1 }
            #expect(throws: TidingsError.self) { try center.removeObservations(of: owner) }
            center.observe(named: "A", owner: owner) { _, _ in }
        }
        #expect(reused > 0)
        #expect(center.post(named: "A") == 0)
    }

    @Test func m5_whatIsRemovedDuringAPostIsNotCalled() {
        let owner = Owner()
        let token = center.messages(named: "A").priority(.high).observe { [center, log] _ in
            let removed = try? center.removeObservations(of: owner)
            log("removed \(removed ?? 0)")
        }
        observe(owner, "owner")
        #expect(center.post(named: "A") == 4)
        #expect(log.all == ["removed 5"])
        token.cancel()
    }

    @Test func m13_removingEmptiesMailboxesAndCancelsWhatRuns() async throws {
        let owner = Owner()
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).observe(owner: owner) {
            (owner, message: Ping) async in
            begun.open()
            // Throws immediately where the task is cancelled.
            let isCancelled = (try? await gate.wait()) == nil
            owner.log(isCancelled ? -message.number : message.number)
        }
        center.post(Ping(number: 1))
        try await begun.wait()
        center.post(Ping(number: 2))
        #expect(try center.removeObservations(of: owner) == 1)
        #expect(token.pending == 0)
        gate.open()
        await token.cancelAndWait()
        #expect(owner.log.all == [-1])
    }

    @Test func m9_noLockIsHeldWhileARemovedClosureIsReleased() throws {
        let owner = Owner()
        let canary = Canary { [center, log] in
            log(finishesOnAnotherThread { center.post(named: "A") } ? "free" : "locked")
        }
        center.observe(named: "A", owner: owner) { _, _ in canary.stay() }
        try center.removeObservations(of: owner)
        _ = consume canary
        center.post(named: "A")
        #expect(log.all.isEmpty || log.all == ["free"])
    }
}
