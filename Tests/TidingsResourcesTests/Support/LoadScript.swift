// SPDX-License-Identifier: Apache-2.0
import Observation
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings
@testable import TidingsResources
@testable import TidingsTesting

/// A source whose answers a test gives, call by call, in any order.
final class LoadScript<Value: Sendable>: Sendable {
    private struct Call {
        var answer: Result<Value, any Error>?
        var caller: CheckedContinuation<Value, any Error>?
        var isCancelled = false
    }

    private let calls = Lock<[Call]>([])
    private let begun = WaitableCounter()
    private let cancelled = WaitableCounter()
    /// Whether a cancelled call ends immediately, or goes on until the test answers.
    private let heedsCancellation: Bool

    init(heedsCancellation: Bool = true) {
        self.heedsCancellation = heedsCancellation
    }

    /// The number of calls of the source.
    var count: Int { calls.withLock { $0.count } }

    /// The loader.
    func load() async throws -> Value {
        let number = calls.withLock { calls in
            calls.append(Call())
            return calls.count - 1
        }
        begun.add(1)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(number, $0) }
        } onCancel: {
            cancel(number)
        }
    }

    /// Waits until the source was called `count` times.
    func waitForCalls(_ count: Int) async throws {
        try await begun.wait(for: count)
    }

    /// Waits until `count` calls were cancelled.
    func waitForCancellations(_ count: Int) async throws {
        try await cancelled.wait(for: count)
    }

    /// Answers a call, 1 for the first, which may not have started yet.
    func answer(_ number: Int, _ answer: Result<Value, any Error>) {
        let caller = calls.withLock { calls -> CheckedContinuation<Value, any Error>? in
            calls[number - 1].answer = answer
            return calls[number - 1].caller.take()
        }
        caller?.resume(with: answer)
    }

    private func wait(_ number: Int, _ caller: CheckedContinuation<Value, any Error>) {
        let answer = calls.withLock { calls -> Result<Value, any Error>? in
            if calls[number].answer == nil { calls[number].caller = caller }
            return calls[number].answer
        }
        if let answer { caller.resume(with: answer) }
    }

    private func cancel(_ number: Int) {
        let isFirst = calls.withLock { calls in
            defer { calls[number].isCancelled = true }
            return !calls[number].isCancelled
        }
        if heedsCancellation { answer(number + 1, .failure(CancellationError())) }
        if isFirst { cancelled.add(1) }
    }
}

/// The failure of a source.
struct LoadFailure: Error, Equatable {
    var number = 0
}

/// The states of a resource as strings, for which a test can wait.
///
/// The log counts as an observer.
final class StateLog: Sendable {
    private let states = Lock<[String]>([])
    private let level = WaitableCounter()
    private let token = Lock<ObservationToken?>(nil)

    init(_ resource: Resource<Int>) {
        let observation = resource.publisher.observe { [weak self] in self?.add(text($0)) }
        token.withLock { $0 = observation }
    }

    var all: [String] { states.withLock { $0 } }

    /// Waits until there are `count` states.
    func wait(for count: Int) async throws { try await level.wait(for: count) }

    /// Ends the observation.
    func end() { token.withLock { $0.take() }?.cancel() }

    private func add(_ state: String) {
        states.withLock { $0.append(state) }
        level.add(1)
    }
}

extension Resource {
    /// Starts to wait for the data.
    ///
    /// The load knows of the wait when this method returns.
    @MainActor func beginRefresh() -> Task<Value, any Error> {
        Task.immediate { try await refresh() }
    }
}

extension Resource {
    /// Runs `body` and waits until the state has changed, without observing the resource.
    @MainActor func change(_ body: () -> Void) async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = state
            } onChange: {
                continuation.resume()
            }
            body()
        }
    }
}

/// Returns the outcome of a wait as a string.
func outcome(_ task: Task<Int, any Error>) async -> String {
    switch await task.result {
    case .success(let value): "\(value)"
    case .failure(is CancellationError): "cancelled"
    case .failure(let error as TidingsError): error.code.description
    case .failure(let error): "\(error)"
    }
}
