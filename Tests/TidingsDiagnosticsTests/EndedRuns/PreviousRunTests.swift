// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct PreviousRunTests {
    private func crashes(_ files: [[UInt8]], lastActivity: Date? = nil) -> RunCrashes {
        RunCrashes(
            files.enumerated().map { ("\($0)", Data($1)) },
            lastActivity: lastActivity
        )
    }

    private let none = [UInt8](repeating: 0, count: 4_096)
    private let crash = CaptureBytes().bytes
    private var recovered: [UInt8] {
        var bytes = CaptureBytes()
        bytes.flags = 1 | 8
        return bytes.bytes
    }

    @Test func r7_aRunWithoutACrashEndedAccordingToItsMark() {
        let crashes = crashes([none, []])
        #expect(crashes.crashes.isEmpty && crashes.unreadable.isEmpty)
        #expect(PreviousRun(crashes, end: .clean) == .clean)
        #expect(PreviousRun(crashes, end: .terminated(signal: 15)) == .terminated(signal: 15))
        #expect(PreviousRun(crashes, end: .terminated(signal: SIGPIPE)) == .endedWithoutNotice)
        #expect(PreviousRun(crashes, end: .running) == .endedWithoutNotice)
        #expect(PreviousRun(crashes, end: nil) == .endedWithoutNotice)
    }

    @Test func aCrashOverridesTheMark() {
        for end in [RunRecord.End.clean, .running, .terminated(signal: 15)] {
            #expect(PreviousRun(crashes([crash, none]), end: end) == .crashed)
        }
        #expect(PreviousRun(crashes([none]), end: .terminated(signal: SIGSEGV)) == .crashed)
    }

    @Test func aRunThatSurvivedItsCrashEndedAccordingToItsMark() {
        #expect(PreviousRun(crashes([recovered, none]), end: .clean) == .clean)
        #expect(PreviousRun(crashes([recovered, crash]), end: .clean) == .crashed)
        #expect(crashes([crash, crash]).crashes.map(\.isRecovered) == [true, false])
    }

    @Test func laterActivityMeansASurvivedCrash() {
        let date = Date(timeIntervalSince1970: 1_000)
        for (delay, survived) in [(-5.0, false), (5, false), (11, true)] {
            let crashes = crashes([crash], lastActivity: date.addingTimeInterval(delay))
            #expect(crashes.crashes.map(\.isRecovered) == [survived])
        }
    }

    @Test func r11_aFileThatIsNotACaptureIsListed() {
        var other = crash
        other[0] = 0
        let crashes = crashes([other, crash])
        #expect(crashes.unreadable == ["0"])
        #expect(crashes.crashes.map(\.number) == [1])
    }
}
