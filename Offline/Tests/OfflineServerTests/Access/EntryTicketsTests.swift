// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct EntryTicketsTests {
    private let clock = ManualClock()
    private let sut: EntryTickets

    init() {
        sut = EntryTickets(clock: clock)
    }

    @Test func aTicketIsRedeemedOnce() {
        let ticket = sut.issue()
        let other = sut.issue()
        #expect(ticket != other)
        #expect(!sut.redeem("") && !sut.redeem(String(ticket.text.dropLast())))
        #expect(sut.redeem(ticket.text))
        #expect(!sut.redeem(ticket.text))
        #expect(sut.redeem(other.text))
    }

    @Test func aTicketExpiresAfterItsLifetime() {
        let early = sut.issue()
        clock.advance(by: .seconds(1))
        let late = sut.issue()
        clock.advance(by: EntryTickets.lifetime)
        #expect(!sut.redeem(early.text))
        #expect(sut.redeem(late.text))
    }

    @Test func theNumberOfOpenTicketsIsLimited() {
        let tickets = (0...EntryTickets.capacity).map { _ in sut.issue() }
        #expect(tickets.map { sut.redeem($0.text) }.filter { !$0 }.count == 1)
        #expect(!sut.redeem(tickets[0].text))
    }

    @Test func concurrentRequestsRedeemATicketOnce() async {
        let ticket = sut.issue().text
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { sut.redeem(ticket) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 1)
    }
}
