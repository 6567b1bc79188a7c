// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResourceWriteTests {
    /// The source of the data, and the source's answers to writes.
    private let script = LoadScript<[Int]>()
    private let commits = LoadScript<[Int]>()
    private let resource: Resource<[Int]>

    init() {
        resource = Resource(loader: script.load)
        resource.publisher.updateData([1])
    }

    private var shown: [Int]? { resource.state.value }

    /// Starts a write that appends a number, and waits until the commit runs.
    private func append(_ number: Int, commit: Int) async throws -> Task<Void, any Error> {
        let task = Task { [resource, commits] in
            try await resource.write {
                $0.append(number)
            } commit: {
                _ = try await commits.load()
            }
        }
        try await commits.waitForCalls(commit)
        return task
    }

    @Test func aChangeIsShownAtOnceAndStaysIfTheSourceMakesIt() async throws {
        let write = try await append(2, commit: 1)
        #expect(shown == [1, 2])
        commits.answer(1, .success([]))
        try await write.value
        #expect(shown == [1, 2])
        #expect(!resource.isStale)
    }

    @Test func aChangeIsTakenBackIfTheSourceFails() async throws {
        let write = try await append(2, commit: 1)
        commits.answer(1, .failure(LoadFailure()))
        await #expect(throws: LoadFailure.self) { try await write.value }
        #expect(shown == [1])
        #expect(resource.isStale)
    }

    @Test func aChangeIsTakenBackIfItsTaskIsCancelled() async throws {
        let write = try await append(2, commit: 1)
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(shown == [1])
    }

    @Test func writesThatOverlapAreTakenBackOneByOne() async throws {
        let first = try await append(2, commit: 1)
        let second = try await append(3, commit: 2)
        let third = try await append(4, commit: 3)
        #expect(shown == [1, 2, 3, 4])
        commits.answer(2, .success([]))
        try await second.value
        commits.answer(1, .failure(LoadFailure()))
        _ = await first.result
        #expect(shown == [1, 3, 4])
        commits.answer(3, .failure(LoadFailure()))
        _ = await third.result
        #expect(shown == [1, 3])
        #expect(resource.core.withLock { $0.writes == nil })
    }

    @Test func s5_anAnswerAskedForBeforeAWriteIsDropped() async throws {
        let load = Task { [resource] in try await resource.refresh() }
        try await script.waitForCalls(1)
        let write = try await append(2, commit: 1)
        script.answer(1, .success([7]))
        #expect(try await load.value == [1, 2])
        commits.answer(1, .success([]))
        try await write.value
        #expect(shown == [1, 2])
    }

    @Test func s5_aLoadThatRunsWhenTheSourceHasConfirmedIsRepeated() async throws {
        let write = try await append(2, commit: 1)
        let load = Task { [resource] in try await resource.refresh() }
        try await script.waitForCalls(1)
        commits.answer(1, .success([]))
        try await write.value
        script.answer(1, .success([1]))
        try await script.waitForCalls(2)
        #expect(shown == [1, 2])
        script.answer(2, .success([1, 2, 3]))
        #expect(try await load.value == [1, 2, 3])
    }

    @Test func anAnswerAskedForDuringAWriteIsShownWithIt() async throws {
        let write = try await append(2, commit: 1)
        let load = Task { [resource] in try await resource.refresh() }
        try await script.waitForCalls(1)
        script.answer(1, .success([5]))
        #expect(try await load.value == [5, 2])
        commits.answer(1, .failure(LoadFailure()))
        _ = await write.result
        #expect(shown == [5])
    }

    @Test func whatIsWrittenPastTheResourceIsNotTakenBack() async throws {
        let write = try await append(2, commit: 1)
        resource.publisher.updateData([100])
        commits.answer(1, .failure(LoadFailure()))
        _ = await write.result
        #expect(shown == [100])
        #expect(resource.isStale)
    }

    @Test func anInvalidationOrAFailedLoadKeepsWhatWaits() async throws {
        let write = try await append(2, commit: 1)
        resource.invalidate()
        let load = Task { [resource] in try await resource.refresh() }
        try await script.waitForCalls(1)
        script.answer(1, .failure(LoadFailure()))
        _ = await load.result
        #expect(resource.lastData == [1, 2])
        commits.answer(1, .failure(LoadFailure()))
        _ = await write.result
        #expect(resource.lastData == [1])
        #expect(resource.state.phase == .error)
    }

    @Test func withoutDataACommitStillRuns() async throws {
        resource.reset()
        let write = try await append(2, commit: 1)
        #expect(shown == nil)
        commits.answer(1, .success([]))
        try await write.value
        #expect(resource.state.phase == .unknown)
    }

    @Test func aWriteThatALoadMayHaveSeenLeavesTheDataStale() async throws {
        let write = try await append(2, commit: 1)
        let load = Task { [resource] in try await resource.refresh() }
        try await script.waitForCalls(1)
        script.answer(1, .success([1, 2]))
        #expect(try await load.value == [1, 2, 2])
        #expect(!resource.isStale)
        commits.answer(1, .success([]))
        try await write.value
        #expect(resource.isStale)
    }

    @Test func s7_writesAfterAResetAreAllThereIs() async throws {
        let answered = try await append(2, commit: 1)
        let confirmed = try await append(3, commit: 2)
        let refused = try await append(4, commit: 3)
        resource.reset()
        resource.publisher.updateData([100])
        let write = try await append(200, commit: 4)
        commits.answer(1, .success([1, 2]))
        commits.answer(2, .success([]))
        commits.answer(3, .failure(LoadFailure()))
        _ = await (answered.result, confirmed.result, refused.result)
        #expect(shown == [100, 200])
        #expect(!resource.isStale)
        commits.answer(4, .failure(LoadFailure()))
        _ = await write.result
        #expect(shown == [100])
    }

    @Test func s7_aResetForgetsWhatWaits() async throws {
        let write = try await append(2, commit: 1)
        resource.reset()
        commits.answer(1, .success([]))
        try await write.value
        #expect(resource.state.phase == .unknown)
        #expect(resource.lastData == nil)
    }
}
