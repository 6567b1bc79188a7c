// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ReaderWakesTests {
    private let epochs = (0..<2).map { _ in ReadEpoch(of: ObservationBridge()) }

    /// Returns the next readers as text.
    private func next(of wakes: inout ReaderWakes) -> String {
        switch wakes.next() {
        case .all: "all"
        case .late(let late): late.map { $0 === epochs[0] ? "0" : "1" }.joined(separator: " ")
        case nil: "none"
        }
    }

    @Test func s13_oneThreadNotifiesForTheOthers() {
        var wakes = ReaderWakes()
        let first = wakes.requestAll()
        let others = [wakes.requestAll(), wakes.request(epochs[0])]
        #expect(first && others == [false, false])
        #expect(next(of: &wakes) == "all")
        let late = wakes.request(epochs[1])
        #expect(!late && next(of: &wakes) == "1")
        #expect(next(of: &wakes) == "none" && !wakes.isWaking)
        let again = wakes.request(epochs[0])
        #expect(again)
    }

    @Test func anEpochIsNotifiedOnce() {
        var wakes = ReaderWakes()
        let requests = [epochs[0], epochs[0], epochs[1]].map { wakes.request($0) }
        #expect(requests == [true, false, false])
        #expect(next(of: &wakes) == "0 1")
        #expect(next(of: &wakes) == "none")
    }
}
