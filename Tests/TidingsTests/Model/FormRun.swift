// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings
import TidingsCoreFixtures
import TidingsTesting

/// A post of a ``FormProgram``.
struct FormMessage: Message, Equatable {
    let thread: Int
    /// The position among the posts of the same thread.
    let number: Int

    /// Messages are equal if their numbers are in one pair.
    static func == (one: FormMessage, other: FormMessage) -> Bool {
        one.number / 2 == other.number / 2
    }
}

/// Runs a ``FormProgram`` and compares the calls of each handler with the contract.
struct FormRun {
    private final class Handler: Sendable {
        let calls = Log<FormMessage>()
        private let running = Atomic(0)
        private let most = Atomic(0)

        func callAsFunction(_ message: FormMessage) {
            let count = running.add(1, ordering: .sequentiallyConsistent).newValue
            most.max(count, ordering: .sequentiallyConsistent)
            calls(message)
            running.subtract(1, ordering: .sequentiallyConsistent)
        }

        /// The largest number of simultaneous calls.
        var concurrency: Int { most.load(ordering: .sequentiallyConsistent) }
    }

    private final class Screen: Sendable {}
    private actor Store {}

    private let program: FormProgram
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let handlers: [Handler]
    private let screen = Screen()
    private let store = Store()
    private let executor = OneThread()

    init(_ program: FormProgram) {
        self.program = program
        handlers = program.observations.map { _ in Handler() }
    }

    /// Returns the violations of the contract.
    func run() async throws -> [String] {
        let tokens = program.observations.indices.map(observe)
        await runOnThreads(
            program.threads.indices.map { thread in
                { [program, center, clock] in
                    var number = 0
                    for step in program.threads[thread] {
                        switch step {
                        case .post:
                            center.post(FormMessage(thread: thread, number: number))
                            number += 1
                        case .advance(let time): clock.advance(by: .milliseconds(time))
                        case .cancel(let id): tokens[id].cancel()
                        case .block(let id): tokens[id].block()
                        case .finish: center.finish()
                        }
                    }
                }
            }
        )
        // Pending elements are delivered, too.
        try await center.finishAndWait(within: .seconds(60))
        withExtendedLifetime((screen, store, executor, tokens)) {}
        return program.observations.indices.flatMap(violations)
    }

    private func observe(_ id: Int) -> ObservationToken {
        let (handler, selection) = (handlers[id], selection(id))
        switch program.observations[id].form {
        case .closure: return selection.observe { handler($0) }
        case .owned: return selection.observe(owner: screen) { handler($1) }
        case .main: return selection.observe(on: .main) { handler($0) }
        case .ownedMain: return selection.observe(owner: screen, on: .main) { handler($1) }
        case .async: return selection.observe { (message) async in handler(message) }
        case .actor: return selection.observe(on: store) { handler($1) }
        case .executor: return selection.observe(on: executor) { handler($0) }
        }
    }

    private func selection(_ id: Int) -> Selection<FormMessage> {
        let observation = program.observations[id]
        let interval = Duration.milliseconds(observation.interval)
        var selection = center.messages(of: FormMessage.self)
        switch observation.pace {
        case .none: break
        case .throttled: selection = selection.throttled(for: interval, clock: clock)
        case .debounced: selection = selection.debounced(for: interval, clock: clock)
        case .sampled: selection = selection.sampled(every: interval, clock: clock)
        }
        if observation.isOnce { selection = selection.once() }
        if observation.removesDuplicates { selection = selection.removingDuplicates() }
        if observation.divisor > 1 {
            selection = selection.where { $0.number.isMultiple(of: observation.divisor) }
        }
        if let concurrency = observation.concurrency {
            selection = selection.concurrency(concurrency)
        }
        switch observation.buffer {
        case .unbounded: return selection
        case .newest(let count): return selection.buffering(.newest(count))
        case .oldest(let count): return selection.buffering(.oldest(count))
        }
    }
}

extension FormRun {
    private func violations(_ id: Int) -> [String] {
        let (observation, handler) = (program.observations[id], handlers[id])
        let calls = handler.calls.all
        var found: [String] = []
        func check(_ isKept: Bool, _ rule: String) {
            if !isKept { found.append("\(rule): \(id), \(observation), received \(calls)") }
        }
        check(observation.limit.map { handler.concurrency <= $0 } ?? true, "calls at a time")
        check(
            calls.allSatisfy { $0.number.isMultiple(of: observation.divisor) },
            "the filter holds"
        )
        check(!observation.isOnce || calls.count <= 1, "once is once")
        // Simultaneous calls are noted in any order.
        let isOrdered =
            observation.isOnPosters ? program.threads.count == 1 : observation.limit == 1
        // A message that a full buffer drops is remembered as well. Without a pace, threads may
        // queue elements in another order than the order of the comparisons.
        let isCompared = observation.pace != .none || program.threads.count == 1
        if observation.removesDuplicates, observation.buffer == .unbounded, isCompared {
            check(zip(calls, calls.dropFirst()).allSatisfy { $0 != $1 }, "no duplicates")
        }
        for thread in program.threads.indices {
            let numbers = calls.filter { $0.thread == thread }.map(\.number)
            if observation.limit ?? 1 == 1 {
                check(zip(numbers, numbers.dropFirst()).allSatisfy(<), "M3: the order of a thread")
            }
            check(Set(numbers).count == numbers.count, "M4: never twice")
            if let last = program.lastPost(of: thread, beforeTheEndOf: id) {
                check(numbers.allSatisfy { $0 <= last }, "M5: nothing after the end")
            }
        }
        if observation.pace != .none {
            check(calls.count <= program.elapsed / observation.interval + 2, "the pace")
        }
        if isOrdered { check(hasNewest(calls, id), "the newest arrives") }
        if observation.isComplete, !program.isEnded(id) {
            check(calls.count == program.matches(of: id), "M4: each message arrives")
        }
        return found
    }

    /// Whether the last call has the last message of a thread, if nothing ended or dropped it.
    private func hasNewest(_ calls: [FormMessage], _ id: Int) -> Bool {
        let observation = program.observations[id]
        if program.isEnded(id) { return true }
        let lastNumbers = program.threads.indices.map { thread in
            (0..<program.posts(of: thread)).last { $0.isMultiple(of: observation.divisor) }
        }
        if lastNumbers.allSatisfy({ $0 == nil }) { return calls.isEmpty }
        guard let last = calls.last else { return false }
        if observation.isOnce || observation.removesDuplicates { return true }
        if case .oldest = observation.buffer { return true }
        return last.number == lastNumbers[last.thread]
    }
}
