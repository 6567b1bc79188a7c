// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
struct QueueLedgerTests {
    private func poster(_ id: UInt64) -> WaitingPoster {
        WaitingPoster(id: id) { _ in }
    }

    @Test(arguments: [
        (Buffering.newest(2), QueueLedger.Admission.replaceFirst),
        (.oldest(2), .refuse),
    ])
    func whatIsFullDropsByItsPolicyAndCounts(
        buffering: Buffering,
        admission: QueueLedger.Admission
    ) {
        var ledger = QueueLedger(buffering)
        #expect(ledger.admit() == .append)
        #expect(ledger.admit() == .append)
        #expect(ledger.admit() == admission)
        #expect(ledger.admit() == admission)
        #expect(ledger.count == 2)
        #expect(ledger.dropped == 2)
        #expect(ledger.take() == nil)
        #expect(ledger.admit() == .append)
    }

    @Test func anUnboundedOneTakesEverything() {
        var ledger = QueueLedger(.unbounded)
        for _ in 0..<1_000 { #expect(ledger.admit() == .append) }
        #expect(!ledger.isBounded)
        #expect(ledger.promise(to: poster(1)) == .needless)
        #expect(ledger.promise(to: nil) == .needless)
        #expect(ledger.dropped == 0)
    }

    @Test(arguments: [Buffering.newest(.max), .oldest(.max)])
    func theLargestOneTakesMoreThanItsLimitToo(buffering: Buffering) {
        var ledger = QueueLedger(buffering)
        #expect(ledger.admit(extra: 1) == .append)
        #expect(ledger.promise(to: nil) == .place)
    }

    @Test func aPromisedPlaceCountsAsTaken() {
        var ledger = QueueLedger(.newest(2))
        #expect(ledger.promise(to: poster(1)) == .place)
        #expect(ledger.admit() == .append)
        #expect(ledger.admit() == .replaceFirst)
        #expect(ledger.admit(hasPlace: true) == .append)
        #expect(ledger.count == 2)
        #expect(ledger.dropped == 1)
    }

    @Test func whereAllIsPromisedAnOrdinaryValueIsRefused() {
        var ledger = QueueLedger(.newest(1))
        #expect(ledger.promise(to: nil) == .place)
        #expect(ledger.admit() == .refuse)
        #expect(ledger.dropped == 1)
        #expect(ledger.admit(hasPlace: true) == .append)
    }

    @Test func placesArePromisedInTheOrderOfAsking() {
        var ledger = QueueLedger(.oldest(1))
        #expect(ledger.admit() == .append)
        #expect(ledger.promise(to: poster(1)) == .later)
        #expect(ledger.promise(to: poster(2)) == .later)
        #expect(ledger.promise(to: nil) == .later)
        #expect(ledger.take()?.id == 1)
        #expect(ledger.admit(hasPlace: true) == .append)
        #expect(ledger.take()?.id == 2)
        #expect(ledger.giveBack() == nil)
        #expect(ledger.admit() == .append)
        #expect(ledger.dropped == 0)
    }

    @Test func aPlaceThatIsGivenBackGoesToTheNext() {
        var ledger = QueueLedger(.oldest(1))
        #expect(ledger.promise(to: poster(1)) == .place)
        #expect(ledger.promise(to: poster(2)) == .later)
        #expect(ledger.giveBack()?.id == 2)
        #expect(ledger.giveBack() == nil)
        #expect(ledger.promise(to: nil) == .place)
    }

    @Test func aPosterThatLeftGetsNoPlace() {
        var ledger = QueueLedger(.oldest(1))
        #expect(ledger.admit() == .append)
        #expect(ledger.promise(to: poster(1)) == .later)
        #expect(ledger.promise(to: poster(2)) == .later)
        let (first, again) = (ledger.forget(1), ledger.forget(1))
        #expect(first?.id == 1)
        #expect(again == nil)
        let next = ledger.take()
        #expect(next?.id == 2)
        let isLate = ledger.forget(2)
        #expect(isLate == nil)
    }

    @Test func closingLetsEverybodyGo() {
        var ledger = QueueLedger(.oldest(1))
        #expect(ledger.promise(to: poster(1)) == .place)
        #expect(ledger.promise(to: poster(2)) == .later)
        let released = ledger.close()
        #expect(released.map(\.id) == [2])
        #expect(ledger.admit(hasPlace: true) == .closed)
        #expect(ledger.admit() == .closed)
        #expect(ledger.promise(to: poster(3)) == .needless)
        #expect(ledger.giveBack() == nil)
        #expect(ledger.dropped == 0)
    }

    @Test func whoWasWokenMakesRoomForOneMore() {
        var ledger = QueueLedger(.oldest(1))
        #expect(ledger.admit() == .append)
        #expect(ledger.admit(extra: 1) == .append)
        #expect(ledger.admit(extra: 1) == .refuse)
    }
}
