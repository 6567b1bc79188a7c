// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge
import TidingsLock

@testable import TidingsBridgeTesting

/// Runs a schedule and returns the violations.
final class ScheduleRun: Sendable {
    private struct State {
        var processes: [ScheduledProcess] = []
        var hasFault = false
    }

    private let schedule: FaultSchedule
    private let server = InMemoryServer()
    private let traffic: any ScheduledTraffic
    private let state = Lock(State())
    /// A time limit far above the time of a schedule on a busy machine.
    private let patience = Duration.seconds(600)

    init(_ schedule: FaultSchedule) {
        self.schedule = schedule
        traffic =
            switch schedule.kind {
            case .durable: NoteTraffic(schedule)
            case .shared: WorkTraffic(server)
            case .transient: TransientTraffic(schedule)
            case .state: StateTraffic(server)
            case .stream: StreamTraffic(schedule, server)
            }
    }

    private var processes: [ScheduledProcess] { state.withLock { $0.processes } }

    func run() async throws -> [String] {
        for index in 0..<schedule.processes {
            let process = makeProcess(Life(process: index))
            state.withLock { $0.processes.append(process) }
            try await process.start()
        }
        var posting = Array(repeating: Task<Void, Never> {}, count: schedule.processes)
        var ends: [Task<Void, Never>] = []
        for step in schedule.steps {
            if case .post(let index, let key, let count, let failures) = step {
                posting[index] = Task { [before = posting[index]] in
                    await before.value
                    for _ in 0..<count {
                        let process = self.processes[index]
                        await self.traffic.post(by: process, key: key, failures: failures)
                    }
                }
            } else if case .kill(let index) = step {
                ends.append(try await kill(index))
            } else if case .settle = step {
                for task in posting { await task.value }
                guard !state.withLock({ $0.hasFault }) else { continue }
                if try await !settle() { return try await finish(ends) }
            } else {
                try await perform(step)
            }
        }
        endFaults()
        for task in posting { await task.value }
        // The last messages are behind all posts, so that a late repeat is handled before them.
        if try await wait(until: { try self.traffic.isReady(self.processes) }) {
            for process in processes { await traffic.postLast(by: process) }
            _ = try await settle()
        }
        return try await finish(ends)
    }

    private func perform(_ step: FaultSchedule.Step) async throws {
        switch step {
        case .begin(let fault): begin(fault)
        case .endFaults: endFaults()
        case .cutConnections: server.endConnections()
        case .cut(let index): processes[index].cutConnection()
        case .storeAgain(let count): await storeAgain(count)
        case .remakeStream: try change(.remade)
        case .goBack(let count):
            let last = server.facts(of: "shop").last
            try change(.wentBack(to: last - min(UInt64(count), last)))
        case .removeOldest(let count):
            try change(.removed(before: server.facts(of: "shop").first + UInt64(count)))
        case .restart(let index): try await restart(index)
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        case .post, .kill, .settle: break
        }
    }

    // MARK: Processes

    private func makeProcess(
        _ life: Life,
        folder: TemporaryFolder = TemporaryFolder()
    ) -> ScheduledProcess {
        ScheduledProcess(schedule, server, traffic, life, folder: folder)
    }

    private func kill(_ index: Int) async throws -> Task<Void, Never> {
        let old = processes[index]
        let folder = try old.kill { traffic.died(old.life) }
        let end = Task { _ = try? await old.bridge.close(within: .zero) }
        try await replace(old, folder)
        return end
    }

    private func restart(_ index: Int) async throws {
        let old = processes[index]
        let start = ContinuousClock.now
        try await old.bridge.close(within: .zero)
        // The bridge waits for running handlers for this time.
        let isSlow = ContinuousClock.now - start >= .milliseconds(100)
        traffic.closed(old, isSlow: isSlow)
        try await replace(old, old.folder)
    }

    private func replace(_ old: ScheduledProcess, _ folder: TemporaryFolder) async throws {
        var life = old.life
        life.number += 1
        let process = makeProcess(life, folder: folder)
        try await process.start()
        state.withLock { $0.processes[life.process] = process }
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

    private func change(_ change: FaultSchedule.StreamChange) throws {
        try traffic.changes(change, for: processes)
        switch change {
        case .remade: server.remakeStream(of: "shop")
        case .wentBack(let last): server.goBack(to: last, in: "shop")
        case .removed(let first): server.removeFrames(before: first, of: "shop")
        }
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

    /// Waits until every process has received all messages.
    ///
    /// - Returns: False if the wait takes too long.
    private func settle() async throws -> Bool {
        try await wait { try self.traffic.isDone(self.processes) }
    }

    private func wait(until isTrue: @Sendable () throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + patience
        while try !isTrue() {
            guard ContinuousClock.now < end, !Task.isCancelled else { return false }
            await traffic.changed.wait(until: end) { try await Task.sleep(until: $0) }
        }
        return true
    }

    private func finish(_ ends: [Task<Void, Never>]) async throws -> [String] {
        var violations: [String] = []
        if try !traffic.isDone(processes) {
            let statuses = processes.map { "\($0.life): \($0.bridge.status.lastData as Any)" }
            violations.append("B3: It does not finish. " + statuses.joined(separator: "\n"))
        }
        violations += try traffic.violations(processes)
        for process in processes { try await process.bridge.close(within: .seconds(5)) }
        for end in ends { await end.value }
        return violations
    }
}

extension InMemoryServer {
    func facts(of space: String) -> StreamState {
        state.withLock { $0.streams[space, default: ServerStream(name: space)].facts }
    }
}
