// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct StartAttemptTests {
    private let place: TemporaryFolder
    private let store: ReporterStore

    init() throws {
        place = try TemporaryFolder()
        store = ReporterStore(directory: place.path)
    }

    private func die() async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.path as String] in
            let attempt = StartAttempt.begin(ReporterStore(directory: path))
            withExtendedLifetime(attempt) { _ = kill(getpid(), SIGKILL) }
        }
    }

    @Test func r12_theThirdStartCountsTwoFailedStarts() async {
        await die()
        #expect(StartAttempt.begin(store).failedBefore == 1)
        await die()
        // The start in between has neither succeeded nor ended.
        let third = StartAttempt.begin(store)
        #expect(third.failedBefore >= 2)
        third.succeed()
        #expect(StartAttempt.begin(store).failedBefore == 0)
    }

    @Test func r12_aStartInAnotherProcessIsNoFailure() {
        let first = StartAttempt.begin(store)
        let second = StartAttempt.begin(ReporterStore(directory: place.path))
        #expect(first.failedBefore == 0 && second.failedBefore == 0)
        first.succeed()
        second.succeed()
        #expect(SystemFile.names(in: place.path + "/starts").isEmpty)
    }

    @Test func aStartDoesNotWaitForAProcessThatHoldsTheLocks() throws {
        let place = try TemporaryFolder(isInMemory: true)
        let store = ReporterStore(directory: place.path)
        let locks = try ["starts", "state"].map { name in
            try FileLock.tryAcquire("\(place.path)/\(name).lock")
        }
        #expect(!locks.contains { $0 == nil })
        let time = timeAsleep {
            let attempt = StartAttempt.begin(store)
            #expect(attempt.failedBefore == 0)
            attempt.succeed()
        }
        // The time is less than the limit for which other changes wait.
        #expect(time < ReporterStore.lockLimit)
        withExtendedLifetime(locks) {}
    }

    @Test func aStartThatEndsWithAnErrorIsNoFailureAndHealsNone() async {
        await die()
        StartAttempt.begin(store).finish()
        #expect(StartAttempt.begin(store).failedBefore == 1)
    }
}
