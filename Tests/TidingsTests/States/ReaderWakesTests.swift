// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ReaderWakesTests {
    private let epochs = (0..<2).map { _ in ReadEpoch(of: ObservationBridge()) }

    /// Returns the numbers of the epochs to notify next, or nil.
    private func next(of wakes: inout ReaderWakes) -> [Int?]? {
        wakes.next()?.map { epoch in epochs.firstIndex { $0 === epoch } }
    }

    @Test func oneThreadNotifiesForTheOthers() {
        var wakes = ReaderWakes()
        let requests = epochs.map { wakes.request($0) }
        #expect(requests == [true, false])
        #expect(next(of: &wakes) == [0, 1])
        let late = wakes.request(epochs[1])
        #expect(!late && next(of: &wakes) == [1])
        #expect(next(of: &wakes) == nil && !wakes.isWaking)
        let again = wakes.request(epochs[0])
        #expect(again)
    }

    @Test func anEpochIsNotifiedOnce() {
        var wakes = ReaderWakes()
        let requests = [epochs[0], epochs[0], epochs[1]].map { wakes.request($0) }
        #expect(requests == [true, false, false])
        #expect(next(of: &wakes) == [0, 1])
        #expect(next(of: &wakes) == nil)
    }
}
