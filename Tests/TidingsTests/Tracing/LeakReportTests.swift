// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTracing

@Suite(.timeLimit(.minutes(15)))
struct LeakReportTests {
    private let center = MessageCenter()
    private let bag = ObservationBag()
    private let file = "TidingsTests/LeakReportTests.swift"

    private func observe(_ count: Int, line: UInt) {
        for _ in 0..<count { center.observe(Ping.self, line: line) { _ in }.store(in: bag) }
    }

    @Test func observationsAreListedByWhereTheyWereMadeTheMostFirst() {
        observe(2, line: 10)
        observe(3, line: 20)
        center.observe(Pong.self, line: 10) { _ in }.store(in: bag)
        center.observe(Pong.self, line: 15) { _ in }.store(in: bag)
        let report = center.leakReport()
        #expect(report.places.map(\.location) == ["\(file):10", "\(file):20", "\(file):15"])
        #expect(report.places.map(\.count) == [3, 3, 1])
        #expect(report.places.map(\.messages) == [["Ping", "Pong"], ["Ping"], ["Pong"]])
        #expect(report.count == 7)
    }

    @Test func theKindsAreCounted() {
        let owner = Owner()
        observe(2, line: 1)
        center.observe(Ping.self, owner: owner, line: 1) { _, _ in }
        center.observe(Ping.self, owner: owner, on: .main, line: 1) { _, _ in }
        let messages = center.messages(of: Ping.self, line: 1).values
        center.watch(line: 1, posting: { _ in }).store(in: bag)
        center.messages(of: Ping.self).observe(line: 1) { _ async in }.store(in: bag)
        center.messages(named: "ping").observe(line: 1) { _ in }.store(in: bag)
        center.allMessages.observe(line: 1) { _ in }.store(in: bag)
        let place = center.leakReport().places.first
        let kinds = place?.kinds.map { "\($0.value) \($0.key)" }.sorted()
        let expected = [
            "1 async handler", "1 owned handler", "1 owned main-actor handler", "1 sequence",
            "1 watcher", "4 handler",
        ]
        #expect(kinds == expected)
        #expect(place?.messages == ["Ping", "every message", "ping"])
        messages.cancel()
    }

    @Test func theTextIsATable() {
        observe(12, line: 7)
        let owner = Owner()
        center.observe(Pong.self, owner: owner, line: 1_024) { _, _ in }
        let text = """
            count  waiting  lost  kinds            messages  made at
               12        0     0  12 handler       Ping      \(file):7
                1        0     0  1 owned handler  Pong      \(file):1024
            """
        #expect(center.leakReport().description == text)
    }

    @Test func whatWaitsAndWhatWasLostIsCounted() {
        let one = center.messages(of: Ping.self, line: 1).buffering(.newest(2)).values
        let other = center.messages(of: Ping.self, line: 1).values
        for number in 0..<5 { center.post(Ping(number: number)) }
        let place = center.leakReport().places.first
        #expect(place?.pending == 7)
        #expect(place?.dropped == 3)
        let texts = center.observations().map { "\($0)".split(separator: "(").last }
        #expect(texts == ["sequence, 2 waiting, 3 lost)", "sequence, 5 waiting)"])
        one.cancel()
        other.cancel()
    }

    @Test func interceptorsAreListed() {
        center.messages(of: Ping.self).intercept(line: 3) { _ in .deliver }.store(in: bag)
        center.allMessages.intercept(line: 3) { _ in .deliver }.store(in: bag)
        #expect(center.leakReport().places.map(\.count) == [2])
        #expect(center.leakReport().places.map(\.messages) == [["messages to intercept"]])
    }

    @Test func theReportIsEmptyIfNobodyObserves() {
        #expect(center.leakReport().isEmpty)
        observe(1, line: 1)
        #expect(!center.leakReport().isEmpty)
        bag.cancelAll()
        #expect(center.leakReport().isEmpty)
        #expect(center.leakReport().description == "no observations")
    }

    @Test func deadOwnersAreNotListed() {
        do {
            let owner = Owner()
            center.observe(Ping.self, owner: owner) { _, _ in }
            #expect(center.observations().count == 1)
        }
        #expect(center.observations().isEmpty)
    }

    @Test func deadSubjectsAreNotListed() {
        do {
            let subject = Owner()
            center.messages(of: Ping.self).about(subject).observe { _ in }.store(in: bag)
            #expect(center.observations().count == 1)
        }
        #expect(center.observations().isEmpty)
    }

    @Test func observationsAreInTheOrderInWhichTheyBegan() {
        observe(1, line: 3)
        center.messages(of: Pong.self).priority(.high).observe(line: 1) { _ in }.store(in: bag)
        observe(1, line: 2)
        let locations = center.observations().map(\.observation.location)
        #expect(locations == ["\(file):3", "\(file):1", "\(file):2"])
    }

    @Test func anObservationThatEndsWhileItIsListedDoesNoHarm() async {
        await withTaskGroup { [center] group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<300 {
                        let owner = Owner()
                        center.observe(Ping.self, owner: owner) { _, _ in }
                        center.observe(Pong.self) { _ in }.cancel()
                        if number.isMultiple(of: 10) { _ = center.leakReport().description }
                    }
                }
            }
        }
        #expect(center.leakReport().isEmpty)
    }
}
