// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct BufferStateTests {
    private func poster(_ id: UInt64) -> WaitingPoster {
        WaitingPoster(id: id) { _ in }
    }

    @Test(arguments: [
        (Buffering.newest(2), BufferState.Admission.replaceFirst),
        (.oldest(2), .refuse),
    ])
    func whatIsFullDropsByItsPolicyAndCounts(
        buffering: Buffering,
        admission: BufferState.Admission
    ) {
        var bufferState = BufferState(buffering)
        #expect(bufferState.admit() == .append)
        #expect(bufferState.admit() == .append)
        #expect(bufferState.admit() == admission)
        #expect(bufferState.admit() == admission)
        #expect(bufferState.count == 2)
        #expect(bufferState.dropped == 2)
        #expect(bufferState.take() == nil)
        #expect(bufferState.admit() == .append)
    }

    @Test func anUnboundedOneTakesEverything() {
        var bufferState = BufferState(.unbounded)
        for _ in 0..<1_000 { #expect(bufferState.admit() == .append) }
        #expect(!bufferState.isBounded)
        #expect(bufferState.promise(to: poster(1)) == .needless)
        #expect(bufferState.promise(to: nil) == .needless)
        #expect(bufferState.dropped == 0)
    }

    @Test(arguments: [Buffering.newest(.max), .oldest(.max)])
    func theLargestOneTakesMoreThanItsLimitToo(buffering: Buffering) {
        var bufferState = BufferState(buffering)
        #expect(bufferState.admit(extra: 1) == .append)
        #expect(bufferState.promise(to: nil) == .place)
    }

    @Test func aPromisedPlaceCountsAsTaken() {
        var bufferState = BufferState(.newest(2))
        #expect(bufferState.promise(to: poster(1)) == .place)
        #expect(bufferState.admit() == .append)
        #expect(bufferState.admit() == .replaceFirst)
        #expect(bufferState.admit(hasPlace: true) == .append)
        #expect(bufferState.count == 2)
        #expect(bufferState.dropped == 1)
    }

    @Test func whereAllIsPromisedAnOrdinaryValueIsRefused() {
        var bufferState = BufferState(.newest(1))
        #expect(bufferState.promise(to: nil) == .place)
        #expect(bufferState.admit() == .refuse)
        #expect(bufferState.dropped == 1)
        #expect(bufferState.admit(hasPlace: true) == .append)
    }

    @Test func placesArePromisedInTheOrderOfAsking() {
        var bufferState = BufferState(.oldest(1))
        #expect(bufferState.admit() == .append)
        #expect(bufferState.promise(to: poster(1)) == .later)
        #expect(bufferState.promise(to: poster(2)) == .later)
        #expect(bufferState.promise(to: nil) == .later)
        #expect(bufferState.take()?.id == 1)
        #expect(bufferState.admit(hasPlace: true) == .append)
        #expect(bufferState.take()?.id == 2)
        #expect(bufferState.giveBack() == nil)
        #expect(bufferState.admit() == .append)
        #expect(bufferState.dropped == 0)
    }

    @Test func aPlaceThatIsGivenBackGoesToTheNext() {
        var bufferState = BufferState(.oldest(1))
        #expect(bufferState.promise(to: poster(1)) == .place)
        #expect(bufferState.promise(to: poster(2)) == .later)
        #expect(bufferState.giveBack()?.id == 2)
        #expect(bufferState.giveBack() == nil)
        #expect(bufferState.promise(to: nil) == .place)
    }

    @Test func aPosterThatLeftGetsNoPlace() {
        var bufferState = BufferState(.oldest(1))
        #expect(bufferState.admit() == .append)
        #expect(bufferState.promise(to: poster(1)) == .later)
        #expect(bufferState.promise(to: poster(2)) == .later)
        let (first, again) = (bufferState.forget(1), bufferState.forget(1))
        #expect(first?.id == 1)
        #expect(again == nil)
        let next = bufferState.take()
        #expect(next?.id == 2)
        let isLate = bufferState.forget(2)
        #expect(isLate == nil)
    }

    @Test func closingLetsEverybodyGo() {
        var bufferState = BufferState(.oldest(1))
        #expect(bufferState.promise(to: poster(1)) == .place)
        #expect(bufferState.promise(to: poster(2)) == .later)
        let released = bufferState.close()
        #expect(released.map(\.id) == [2])
        #expect(bufferState.admit(hasPlace: true) == .closed)
        #expect(bufferState.admit() == .closed)
        #expect(bufferState.promise(to: poster(3)) == .needless)
        #expect(bufferState.giveBack() == nil)
        #expect(bufferState.dropped == 0)
    }

    @Test func whoWasWokenMakesRoomForOneMore() {
        var bufferState = BufferState(.oldest(1))
        #expect(bufferState.admit() == .append)
        #expect(bufferState.admit(extra: 1) == .append)
        #expect(bufferState.admit(extra: 1) == .refuse)
    }
}
