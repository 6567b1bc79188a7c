// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// One random program on a resource and on the model, compared after each step.
@MainActor
final class ResourceModelRun {
    private enum Operation: String, CaseIterable {
        case beginLoad, refreshIfNeeded, refresh, leave, invalidate, reset, succeed, fail,
            answerLate
        case updateData, update, write, confirm, takeBack, advance, observe, unobserve

        var weight: Int {
            switch self {
            case .succeed, .fail, .refresh: 4
            case .reset: 1
            default: 2
            }
        }
    }

    private var random: SplitMix64
    private var model = ResourceModel()
    private let script = LoadScript<Int>(heedsCancellation: false)
    private let commits = LoadScript<Void>()
    private let clock = ManualClock()
    private let resource: Resource<Int>
    private var waiters: [Int: Task<Int, any Error>] = [:]
    private var writes: [Int: Task<Void, any Error>] = [:]
    private var observers: [Int: (log: Log<String>, token: ObservationToken)] = [:]
    private var logs: [Log<String>] = []
    private var answered: Set<Int> = []
    private var lastWaiter = 0
    private var lastWrite = 0
    private var steps: [String] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let retry = RetryPolicy.backoff(attempts: ResourceModel.attempts, from: .seconds(1)) {
            ($0 as? LoadFailure)?.number == ResourceModel.lastFailure ? .stop : .retry()
        }
        resource = Resource(
            options: ResourceOptions(
                staleAfter: .seconds(ResourceModel.staleAfter),
                retry: retry
            ),
            store: nil,
            clock: clock,
            random: { 0 },
            loader: script.load
        )
    }

    /// Runs a number of steps and returns the difference with the steps until then.
    func run(_ count: Int) async throws -> String? {
        for _ in 0..<count {
            let operations = Operation.allCases
            let operation = operations[random.weighted(operations.map(\.weight))]
            steps.append(operation.rawValue)
            try await step(operation)
            try await script.waitForCalls(model.calls)
            if let difference { return "\(difference) after \(steps.joined(separator: ", "))" }
        }
        try await finish()
        return difference.map { "\($0) at the end of \(steps.joined(separator: ", "))" }
    }

    private var difference: String? {
        let facts = [
            ("state", text(resource.state), model.state),
            ("data", "\(resource.lastData as Any)", "\(model.data as Any)"),
            ("staleness", "\(resource.isStale)", "\(model.isStale)"),
            ("calls", "\(script.count)", "\(model.calls)"),
            ("told", "\(logs.map(\.all))", "\(model.told)"),
        ]
        return facts.first { $0.1 != $0.2 }.map { "\($0.0): \($0.1), not \($0.2)," }
    }

    private func step(_ operation: Operation) async throws {
        switch operation {
        case .beginLoad:
            both {
                $0.beginLoad()
            } _: {
                $0.beginLoad()
            }
        case .refreshIfNeeded:
            both {
                $0.refreshIfNeeded()
            } _: {
                $0.refreshIfNeeded()
            }
        case .refresh: refresh()
        case .leave: try await leave()
        case .invalidate:
            both {
                $0.invalidate()
            } _: {
                $0.invalidate()
            }
        case .reset:
            both {
                $0.reset()
            } _: {
                $0.reset()
            }
            try await checkOutcomes()
        case .succeed: try await answer(random.below(100))
        case .fail: try await answer(nil)
        case .answerLate: answerLate()
        case .updateData:
            let value = random.below(100)
            both {
                $0.publisher.updateData(value)
            } _: {
                $0.updateData(value)
            }
        case .update:
            both {
                $0.publisher.update { $0 += 1 }
            } _: {
                $0.update()
            }
        case .write: try await write()
        case .confirm: await settleWrite(isConfirmed: true)
        case .takeBack: await settleWrite(isConfirmed: false)
        case .advance: try await advance()
        case .observe: observe()
        case .unobserve: unobserve()
        }
    }

    private func both(
        _ real: (Resource<Int>) -> Void,
        _ expected: (inout ResourceModel) -> Void
    ) {
        real(resource)
        expected(&model)
    }
}

extension ResourceModelRun {
    private func refresh() {
        lastWaiter += 1
        model.refresh(lastWaiter)
        waiters[lastWaiter] = resource.beginRefresh()
    }

    private func leave() async throws {
        guard let waiter = waiters.keys.sorted().first else { return }
        waiters[waiter]?.cancel()
        model.leave(waiter)
        try await checkOutcomes()
    }

    /// Answers the call that runs for the load, and waits for the consequences.
    private func answer(_ value: Int?) async throws {
        guard let call = model.load?.call else { return }
        // The waiter's outcome shows that the answer has come.
        if !model.hasWaiters { refresh() }
        let failure = random.pick([0, 0, ResourceModel.lastFailure])
        answered.insert(call)
        let answer = value.map { Result<Int, any Error>.success($0) }
        script.answer(call, answer ?? .failure(LoadFailure(number: failure)))
        model.answer(call, value, failure: failure)
        if model.isRetryWaiting { try await clock.waitForSleepers() }
        try await script.waitForCalls(model.calls)
        try await checkOutcomes()
    }

    /// Answers a call whose load has ended.
    private func answerLate() {
        let late = (0..<model.calls).map { $0 + 1 }.first {
            !answered.contains($0) && $0 != model.load?.call
        }
        guard let late else { return }
        answered.insert(late)
        script.answer(late, random.chance(50) ? .success(1_000) : .failure(LoadFailure()))
    }

    private func write() async throws {
        lastWrite += 1
        let number = random.below(10)
        model.show(lastWrite, number)
        writes[lastWrite] = Task { [resource, commits] in
            try await resource.write {
                $0 = $0 * 2 + number
            } commit: {
                try await commits.load()
            }
        }
        try await commits.waitForCalls(lastWrite)
    }

    private func settleWrite(isConfirmed: Bool) async {
        guard !writes.isEmpty else { return }
        let write = random.pick(writes.keys.sorted())
        commits.answer(write, isConfirmed ? .success(()) : .failure(LoadFailure()))
        _ = await writes.removeValue(forKey: write)?.result
        if isConfirmed { model.confirm(write) } else { model.takeBack(write) }
    }

    private func advance() async throws {
        let seconds = random.pick([1, 30])
        let isDue = model.isRetryWaiting
        model.advance(isDue ? 30 : seconds)
        clock.advance(by: .seconds(isDue ? 30 : seconds))
        if isDue { model.retry() }
    }

    private func observe() {
        let log = Log<String>()
        logs.append(log)
        observers[model.observe()] = (log, resource.publisher.observe { log(text($0)) })
    }

    private func unobserve() {
        guard let observer = observers.keys.sorted().first else { return }
        observers.removeValue(forKey: observer)?.token.cancel()
        model.unobserve(observer)
    }

    /// Waits for the callers whose outcome the model knows, and compares.
    private func checkOutcomes() async throws {
        for (waiter, expected) in model.outcomes {
            guard let task = waiters.removeValue(forKey: waiter) else { continue }
            let found = await outcome(task)
            if found != expected { throw Difference(text: "\(found), not \(expected)") }
        }
    }

    struct Difference: Error {
        let text: String
    }

    /// Ends all remaining calls and writes, so that no task outlives the program.
    private func finish() async throws {
        resource.reset()
        model.reset()
        try await checkOutcomes()
        for call in 0..<script.count where !answered.contains(call + 1) {
            script.answer(call + 1, .failure(CancellationError()))
        }
        for write in writes.keys.sorted() {
            commits.answer(write, .failure(LoadFailure()))
            _ = await writes[write]?.result
            model.takeBack(write)
        }
    }
}
