// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock

/// Runs a schedule and returns what it violates.
final class ScheduleRun: Sendable {
    private struct State {
        var history = ScheduleHistory()
        var processes: [ScheduledProcess] = []
        /// How often each process was killed; what a dead one does is not part of the history.
        var lives: [Int] = []
        /// The failed attempts by process and number.
        var failures: [[Int]: Int] = [:]
        var hasFault = false
    }

    private let schedule: FaultSchedule
    private let server = InMemoryServer()
    private let state: Lock<State>
    private let changed = WakeSignal()
    /// Far above what a schedule takes on a busy machine.
    private let patience = Duration.seconds(60)

    init(_ schedule: FaultSchedule) {
        self.schedule = schedule
        state = Lock(State(lives: Array(repeating: 0, count: schedule.processes)))
    }

    func run() async throws -> [String] {
        for index in 0..<schedule.processes {
            let process = makeProcess(index)
            state.withLock { $0.processes.append(process) }
            try await process.bridge.start()
        }
        var posting = Array(repeating: Task<Void, Never> {}, count: schedule.processes)
        var ends: [Task<Void, Never>] = []
        for step in schedule.steps {
            if case .post(let process, let key, let count, let failures) = step {
                posting[process] = Task { [before = posting[process]] in
                    await before.value
                    for _ in 0..<count { await self.post(process, key, failures) }
                }
            } else if case .kill(let index) = step {
                ends.append(try await kill(index))
            } else if case .settle = step {
                for task in posting { await task.value }
                if !state.withLock({ $0.hasFault }) { await settle() }
            } else {
                try await perform(step)
            }
        }
        endFaults()
        for task in posting { await task.value }
        // Behind all that was posted, so that a late repeat is handled before them.
        for index in 0..<schedule.processes { await post(index, "last", 0) }
        await settle()
        let violations = try await finish()
        for end in ends { await end.value }
        return violations
    }

    private func perform(_ step: FaultSchedule.Step) async throws {
        switch step {
        case .begin(let fault): begin(fault)
        case .endFaults: endFaults()
        case .cutConnections: server.endConnections()
        case .storeAgain(let count): await storeAgain(count)
        case .restart(let index): try await restart(index)
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        case .post, .kill, .settle: break
        }
    }

    // MARK: Processes

    private func makeProcess(
        _ index: Int,
        folder: TemporaryFolder = TemporaryFolder()
    ) -> ScheduledProcess {
        let life = state.withLock { $0.lives[index] }
        return ScheduledProcess(schedule, server, index, life: life, folder: folder) {
            [weak self] in
            self?.handle($0, by: index, life: life, isOwn: $1) ?? false
        }
    }

    /// Records a call of a handler.
    ///
    /// - Returns: Whether it throws.
    private func handle(_ number: Int, by index: Int, life: Int, isOwn: Bool) -> Bool {
        // Some handlers take a while, so that kills meet them at work.
        if number % 4 == 0 { Thread.sleep(forTimeInterval: 0.001) }
        let throwing = state.withLock { state in
            guard state.lives[index] == life else { return false }
            let failed = state.failures[[index, number], default: 0]
            let throwing = failed < state.history.posts[number].failures
            if throwing { state.failures[[index, number]] = failed + 1 }
            state.history.append(.handled(number, by: index, throwing: throwing, isOwn: isOwn))
            return throwing
        }
        changed.raise()
        return throwing
    }

    private func post(_ index: Int, _ key: String?, _ failures: Int) async {
        let (number, process) = state.withLock { state in
            let number = state.history.post(by: index, key: key, failures: failures)
            return (number, state.processes[index])
        }
        let note = ScheduledNote(number: number, origin: index, key: key)
        // A process that ends meanwhile may have stored it or not.
        guard (try? await process.bridge.publish(note)) != nil else { return }
        state.withLock { state in
            if state.lives[index] == process.life { state.history.store(number) }
        }
    }

    private func kill(_ index: Int) async throws -> Task<Void, Never> {
        let old = state.withLock { $0.processes[index] }
        let folder = try old.kill {
            state.withLock { state in
                state.lives[index] += 1
                state.history.append(.killed(index))
            }
        }
        let end = Task { _ = try? await old.bridge.close(within: .zero) }
        try await replace(index, with: makeProcess(index, folder: folder))
        return end
    }

    private func restart(_ index: Int) async throws {
        let old = state.withLock { $0.processes[index] }
        let start = ContinuousClock.now
        try await old.bridge.close(within: .zero)
        // The bridge waits for its handlers for this time.
        let isSlow = ContinuousClock.now - start >= .milliseconds(100)
        state.withLock { $0.history.append(.restarted(index, isSlow: isSlow)) }
        try await replace(index, with: makeProcess(index, folder: old.folder))
    }

    private func replace(_ index: Int, with process: ScheduledProcess) async throws {
        try await process.bridge.start()
        state.withLock { $0.processes[index] = process }
    }

    // MARK: The server

    private func begin(_ fault: FaultSchedule.ServerFault) {
        state.withLock { $0.hasFault = true }
        switch fault {
        case .isDown: server.isDown = true
        case .losesAcknowledgements: server.withholdsAcknowledgements = true
        case .ignoresFrames: server.ignoresFrames = true
        case .refusesSome:
            server.refuse { frame in
                let isRefused = frame.body.reduce(0) { $0 + Int($1) } % 3 == 0
                return isRefused ? TransportError(.full, "There is no room.") : nil
            }
        }
    }

    private func endFaults() {
        server.isDown = false
        server.withholdsAcknowledgements = false
        server.ignoresFrames = false
        server.refuse(nil)
        state.withLock { $0.hasFault = false }
    }

    private func storeAgain(_ count: Int) async {
        let frames = server.frames(of: "shop").suffix(count).map(\.frame)
        server.forgetIDs(of: "shop")
        let published = frames.enumerated().map { PublishedFrame(row: $0, frame: $1) }
        // A server that is down takes nothing.
        let connection = try? await server.transport().connect(to: "shop", epoch: 1)
        try? await connection?.publish(published)
        connection?.close()
    }

    // MARK: The end

    /// Waits until every process has handled what it should, or for too long.
    private func settle() async {
        let end = ContinuousClock.now + patience
        let timer = Task { [changed] in
            try? await Task.sleep(until: end)
            changed.raise()
        }
        defer { timer.cancel() }
        while ContinuousClock.now < end, !Task.isCancelled {
            let history = state.withLock { $0.history }
            if (0..<schedule.processes).allSatisfy({ history.missing(at: $0).isEmpty }) { return }
            await changed.wait()
        }
    }

    private func finish() async throws -> [String] {
        var violations: [String] = []
        for (index, process) in state.withLock({ $0.processes }).enumerated() {
            let expected = state.withLock { $0.history.poison(at: index) }
            let bridge = process.bridge
            let isDone = await isTrue(within: patience) {
                for await state in bridge.status.states.values {
                    guard let status = state.value, status.outboxCount == 0,
                        status.deadLetterCount >= expected.count
                    else { continue }
                    // Others may be there of posts that did not return.
                    let dead = (try? Self.deadLetters(of: bridge)) ?? []
                    if Set(dead).isSuperset(of: expected) { return }
                }
            }
            if !isDone {
                violations.append("B3: \(index) does not finish: \(bridge.status.lastData as Any)")
            }
            let numbers = try Self.deadLetters(of: bridge)
            state.withLock { $0.history.buried[index] = numbers }
        }
        for process in state.withLock({ $0.processes }) {
            try await process.bridge.close(within: patience)
        }
        let history = state.withLock { $0.history }
        return violations
            + history.violations(
                processes: schedule.processes,
                keepsOrder: schedule.keepsOrder
            )
    }

    private static func deadLetters(of bridge: Bridge) throws -> [Int] {
        try bridge.deadLetters().map { letter in
            try JSONDecoder().decode(ScheduledNote.self, from: Data(letter.frame.body)).number
        }
    }

    private func isTrue(
        within limit: Duration,
        _ body: @escaping @Sendable () async -> Void
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
