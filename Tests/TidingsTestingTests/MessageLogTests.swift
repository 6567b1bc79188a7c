// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct MessageLogTests {
    private struct Started: Message {}
    private struct Finished: Message {}

    private struct Progress: Message {
        let percent: Int
    }

    private let center = MessageCenter()
    private let log: MessageLog

    init() {
        log = MessageLog(Started.self, Finished.self, on: center)
        log.record(Progress.self) { "\($0.percent) %" }
    }

    @Test func recordsSeveralTypesInOneOrderByName() async throws {
        center.post(Started())
        center.post(Progress(percent: 50))
        log.note("half")
        center.post(Progress(percent: 100))
        center.post(Finished())
        #expect(log.names == ["Started", "50 %", "half", "100 %", "Finished"])
        try await log.expect("Started", "50 %", "half", "100 %", "Finished")
        try log.expectNothing()
    }

    @Test func recordsATypeUnderTheChosenName() {
        let log = MessageLog(on: center)
        log.record(Started.self, as: "begin")
        center.post(Started())
        #expect(log.names == ["begin"])
    }

    @Test func storesTheMessagesWithTheNames() async throws {
        center.post(Progress(percent: 7))
        log.note("note")
        let progress = try await log.next()
        #expect((progress.message as? Progress)?.percent == 7)
        let note = try await log.element(at: 1)
        #expect(note.message == nil)
        #expect("\(progress), \(note)" == "7 %, note")
    }

    @Test func waitsForExpectedEntries() async throws {
        async let expected: Void = log.expect("Started", "Finished")
        center.post(Started())
        center.post(Finished())
        try await expected
        #expect(try await log.wait { $0.count == 2 }.map(\.name) == ["Started", "Finished"])
    }

    @Test func continuesAfterTheExpectedEntries() async throws {
        for _ in 0..<2 {
            center.post(Started())
            center.post(Finished())
            try await log.expect("Started", "Finished")
        }
        try log.expectNothing()
    }

    @Test func doesNotWaitAfterTheFirstDifferentName() async {
        center.post(Started())
        center.post(Progress(percent: 50))
        center.post(Finished())
        let error = await #expect(throws: TidingsTestingError.self) {
            try await log.expect("Started", "Finished", "Started")
        }
        #expect(error?.code == .otherOrder)
        #expect(
            error?.message == """
                Message 1 is different
                (- expected, + recorded)
                  Started
                + 50 %
                  Finished
                - Started
                """
        )
        #expect(error.map { "\($0)".hasPrefix("otherOrder at TidingsTestingTests/") } == true)
    }

    @Test func aCancelledExpectationListsTheMissingNames() async {
        center.post(Started())
        let waiting = Task { [log] in try await log.expect("Started", "Finished") }
        waiting.cancel()
        let error = await #expect(throws: TidingsTestingError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(
            error?.message == """
                The task was cancelled while it waited for Finished
                (- expected, + recorded)
                  Started
                - Finished
                """
        )
    }

    @Test func recordsAllPostsOfSeveralThreads() async throws {
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [center] in
                    for round in 0..<50 { center.post(Progress(percent: task * 50 + round)) }
                }
            }
        }
        let names = try await log.wait { $0.count == 200 }.map(\.name)
        #expect(Set(names) == Set((0..<200).map { "\($0) %" }))
        for task in 0..<4 {
            let own = (task * 50..<(task + 1) * 50).map { "\($0) %" }
            #expect(names.filter(Set(own).contains) == own)
        }
    }

    @Test func stopsRecordingWhenItIsReleasedAndRetainsNoCenter() {
        weak var released: MessageCenter?
        var log: MessageLog?
        do {
            let center = MessageCenter()
            released = center
            log = MessageLog(Started.self, on: center)
            #expect(center.count(of: Started.self) == 1)
            log = nil
            #expect(center.count(of: Started.self) == 0)
            log = MessageLog(Started.self, on: center)
        }
        #expect(released == nil)
        log?.record(Finished.self)
        #expect(log?.names.isEmpty == true)
    }
}
