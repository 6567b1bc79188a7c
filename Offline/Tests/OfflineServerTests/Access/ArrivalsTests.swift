// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct ArrivalsTests {
    private var sut = Arrivals()

    private mutating func add(_ name: String = "A", at seconds: Int = 0) -> Arrivals.Arrival {
        sut.add(name, code: "0042", key: .random(), at: .seconds(seconds))
    }

    @Test mutating func aDeviceWaitsUntilItIsRemoved() {
        let arrival = add()
        #expect(sut.waiting(at: .zero) == [arrival])
        #expect(sut.arrival(withKey: arrival.key.text, at: .zero) == arrival)
        sut.remove(arrival.id)
        #expect(sut.waiting(at: .zero).isEmpty)
        #expect(sut.arrival(withKey: arrival.key.text, at: .zero) == nil)
    }

    @Test mutating func aRefusedDeviceNoLongerWaitsButCanLearnIt() {
        let arrival = add()
        let refused = (sut.refuse(arrival.id, at: .zero), sut.refuse(arrival.id, at: .zero))
        #expect(refused == (true, false))
        #expect(sut.waiting(at: .zero).isEmpty)
        #expect(sut.arrival(withKey: arrival.key.text, at: .zero)?.isRefused == true)
    }

    @Test mutating func aDeviceWaitsForTenMinutes() {
        let arrival = add()
        #expect(sut.waiting(at: .seconds(600)).count == 1)
        #expect(sut.waiting(at: .seconds(601)).isEmpty)
        #expect(sut.arrival(withKey: arrival.key.text, at: .seconds(601)) == nil)
        let isRefused = sut.refuse(arrival.id, at: .seconds(601))
        #expect(!isRefused)
    }

    @Test mutating func oneMoreThanTheLimitReplacesTheOldest() {
        let first = add()
        for _ in 0..<Arrivals.capacity { _ = add() }
        #expect(sut.all.count == Arrivals.capacity)
        #expect(sut.arrival(withKey: first.key.text, at: .zero) == nil)
    }

    @Test mutating func aNumberIsNeverUsedAgain() {
        let first = add()
        sut.remove(first.id)
        let second = add()
        #expect(first.id != second.id)
    }
}
