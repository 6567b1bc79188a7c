// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

extension ReportedSession {
    static func sample(
        _ id: String,
        _ sequence: Int,
        _ status: Status = .running,
        isFirst: Bool = false
    ) -> ReportedSession {
        ReportedSession(
            id: id,
            isFirst: isFirst,
            sequence: sequence,
            status: status,
            started: Date(timeIntervalSince1970: 0),
            date: Date(timeIntervalSince1970: TimeInterval(sequence)),
            errors: 0,
            release: "a@1",
            environment: nil
        )
    }
}

@Suite(.timeLimit(.minutes(15)))
struct ReporterStateTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)
    private var state = ReporterState()

    private func read(_ json: String) throws -> ReporterState {
        try ReportFormat.decode(ReporterState.self, Data(json.utf8))
    }

    @Test mutating func r17_theLongerPauseWinsAndCategoriesAreApart() {
        state.pause(.session, for: .seconds(60), at: now)
        state.pause(.session, for: .seconds(10), at: now + 1)
        #expect(state.pause(of: .session, at: now + 1) == 59)
        #expect(state.pause(of: .error, at: now) == 0)
        state.pause(.session, for: .seconds(100), at: now + 1)
        #expect(state.pause(of: .session, at: now + 1) == 100)
        state.pause(.all, for: .seconds(5), at: now)
        #expect(state.pause(of: .error, at: now) == 5)
        #expect(state.pause(of: .session, at: now + 101) == 0)
    }

    @Test mutating func r17_aPauseIsNoLongerThanADay() {
        state.pause(.error, for: .seconds(1_000_000), at: now)
        #expect(state.pause(of: .error, at: now) == SendingPause.limit)
        #expect(state.pause(of: .error, at: now + SendingPause.limit) == 0)
    }

    @Test mutating func r17_aClockThatIsSetBackDoesNotPauseForEver() {
        state.pause(.error, for: .seconds(60), at: now)
        state.recordFailure(delay: .seconds(30), at: now)
        let past = now - 1_000_000
        #expect(state.pause(of: .error, at: past) == 60)
        #expect(state.needsTidying(at: past))
        state.tidy(at: past)
        #expect(!state.needsTidying(at: past))
        #expect(state.pause(of: .error, at: past + 61) == 0)
        #expect(state.retry?.remaining(at: past + 31) == 0)
        state.tidy(at: past + 61)
        #expect(
            state
                == {
                    var state = ReporterState()
                    state.failures = 1
                    return state
                }()
        )
    }

    @Test mutating func lossesAreSummedAndNewOnesAreKeptAfterADelivery() {
        let loss = ReportLoss(reason: .spoolFull, category: .error, quantity: 2)
        let other = ReportLoss(reason: .spoolFull, category: .session, quantity: 1)
        for loss in [loss, other, loss] { state.count(loss) }
        #expect(state.losses.map(\.quantity) == [4, 1])
        let delivery = ReportDelivery(losses: state.losses)
        state.count(loss)
        state.remove(delivery)
        #expect(state.losses == [loss])
    }

    @Test mutating func aSessionIsSentOnceWithItsNewestUpdate() {
        state.add(.sample("a", 0, isFirst: true))
        state.add(.sample("a", 2, .ended))
        state.add(.sample("a", 1))
        #expect(state.sessions == [.sample("a", 2, .ended, isFirst: true)])
        let delivery = ReportDelivery(sessions: state.sessions)
        state.add(.sample("a", 3, .crashed))
        state.remove(delivery)
        #expect(state.sessions == [.sample("a", 3, .crashed)])
        state.remove(ReportDelivery(sessions: state.sessions))
        #expect(state.sessions.isEmpty)
    }

    @Test mutating func r15_sessionsAreBoundedAndDropsCounted() {
        for number in 0..<(ReporterState.sessionLimit + 3) { state.add(.sample("\(number)", 0)) }
        #expect(state.sessions.count == ReporterState.sessionLimit)
        #expect(state.sessions.first?.id == "3")
        #expect(
            state.losses == [ReportLoss(reason: .spoolFull, category: .session, quantity: 3)]
        )
    }

    @Test mutating func figuresAreByReleaseAndDay() {
        let day = Date(timeIntervalSince1970: 86_400)
        for _ in 1...4 { state.countRun(of: "a@1", at: day) }
        state.countRun(of: "a@2", at: day)
        state.countRun(of: "a@1", at: day - 1)
        state.countEnd(.crashed, of: "a@1", begun: day + 80_000)
        state.countEnd(.vanished, of: "a@1", begun: day)
        state.countEnd(.ended, of: "a@1", begun: day)
        #expect(state.figures.map(\.day) == ["1970-01-01", "1970-01-02", "1970-01-02"])
        let figures = state.figures.first { $0.day == "1970-01-02" && $0.release == "a@1" }
        #expect(figures?.runs == 4 && figures?.crashed == 1 && figures?.vanished == 1)
        #expect(figures?.crashFree == 0.75)
    }

    @Test mutating func r9_aRunIsCountedOnceAndItsSessionBegins() {
        let metadata = RunMetadata.current(application: "a", release: "a@1")
        state.recordStart(of: metadata)
        state.remove(ReportDelivery(sessions: state.sessions))
        for isNew in [true, false] {
            let date = metadata.started
            let isCounted = state.recordEnd(.crashed, of: metadata, at: date, errors: 1)
            #expect(isCounted == isNew)
        }
        state.recordStart(of: metadata)
        #expect(state.sessions.map(\.isFirst) == [false])
        #expect(state.figures.map(\.runs) == [1] && state.figures.map(\.crashed) == [1])
    }

    @Test(arguments: [0, 1])
    mutating func r9_anUnsentBeginningOfASessionIsRepeated(_ way: Int) {
        let metadata = RunMetadata.current(application: "a", release: "a@1")
        state.recordStart(of: metadata)
        if way == 0 {
            state.removeUnsent()
        } else {
            for number in 0..<ReporterState.sessionLimit { state.add(.sample("\(number)", 0)) }
        }
        #expect(!state.sessions.contains { $0.id == metadata.session })
        state.recordEnd(.ended, of: metadata, at: metadata.started, errors: 0)
        #expect(state.sessions.last?.isFirst == true)
    }

    @Test mutating func theNumberOfRememberedRunsIsBounded() {
        let start = Date(timeIntervalSince1970: 0)
        func metadata(_ number: Int) -> RunMetadata {
            RunMetadata.current(application: "a", release: "a@1", session: "\(number)")
        }
        state.recordStart(of: metadata(-1))
        for number in 0..<300 {
            state.recordEnd(.ended, of: metadata(number), at: start, errors: 0)
        }
        #expect(state.runs.count == CountedRun.endedLimit + 1 && state.runs.first?.id == "-1")
        for number in 1_000..<2_000 { state.recordStart(of: metadata(number)) }
        #expect(state.runs.count == CountedRun.limit)
    }

    @Test mutating func aStateIsReadAsItWasWritten() throws {
        state.consent = .given
        state.pause(.all, for: .seconds(60), at: now)
        state.recordFailure(delay: .seconds(1), at: now)
        state.count(ReportLoss(reason: .refused, category: .error, quantity: 1))
        state.add(.sample("a", 1, .crashed))
        state.countRun(of: "a@1", at: now)
        state.runs = [CountedRun(id: "a", isAnnounced: false)]
        state.failedStarts = 1
        let data = try ReportFormat.encode(state)
        #expect(try ReportFormat.decode(ReporterState.self, data) == state)
    }

    @Test func valuesOfANewerVersionAreSkipped() throws {
        let state = try read(
            """
            {"consent": "given", "next": [1], "pauses": {"metric": {}, "error":
             {"stored": "1970-01-01T00:00:00.000Z", "until": "1970-01-01T00:00:09.000Z"}},
             "losses": [{"reason": "moon", "category": "error", "quantity": 1},
              {"reason": "refused", "category": "error", "quantity": 2}], "sessions": [7]}
            """
        )
        #expect(state.consent == .given)
        #expect(state.pause(of: .error, at: Date(timeIntervalSince1970: 0)) == 9)
        #expect(state.losses.map(\.quantity) == [2])
        #expect(throws: (any Error).self) { try read(#"{"consent": "perhaps"}"#) }
    }
}
