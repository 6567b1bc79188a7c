// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@Suite(.timeLimit(.minutes(15)))
struct GateTests {
    private let gate = Gate()

    @MainActor @Test func blocksATaskUntilItIsOpened() async throws {
        var steps: [String] = []
        let started = Gate()
        let task = Task { @MainActor in
            started.open()
            try await gate.wait()
            steps.append("passed")
        }
        try await started.wait()
        #expect(steps.isEmpty)
        gate.open()
        try await task.value
        #expect(steps == ["passed"])
    }

    @Test func anOpenGateBlocksNoTask() async throws {
        let tasks = (0..<3).map { _ in Task { [gate] in try await gate.wait() } }
        gate.open()
        gate.open()
        for task in tasks { try await task.value }
        try await gate.wait()
    }

    @Test func aCancelledWaitThrowsAndDoesNotAffectOthers() async throws {
        let waiting = Task { [gate] in try await gate.wait() }
        let other = Task { [gate] in try await gate.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.open()
        try await other.value
    }
}
