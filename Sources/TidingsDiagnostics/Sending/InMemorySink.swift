// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A sink for tests that stores deliveries and returns prepared results.
///
/// ```swift
/// let sink = InMemorySink { delivery in
///     delivery.report?.crash == nil ? .accepted : .failed("No network.")
/// }
/// ```
public final class InMemorySink: ReportSink {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var deliveries: [ReportDelivery] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state = Lock(State())
    private let answer: @Sendable (ReportDelivery) async -> ReportReceipt

    /// Creates a sink.
    ///
    /// - Parameter answer: Returns the receipt for a delivery. The default accepts every delivery.
    public init(
        _ answer: @escaping @Sendable (ReportDelivery) async -> ReportReceipt = { _ in
            .accepted
        }
    ) {
        self.answer = answer
    }

    /// All deliveries so far, in order, with any outcome.
    package var deliveries: [ReportDelivery] { state.withLock { $0.deliveries } }

    /// Waits for the given number of deliveries and returns the deliveries.
    ///
    /// - Parameter count: The number of deliveries to wait for.
    /// - Returns: The first `count` deliveries.
    /// - Throws: `CancellationError` if the task is canceled first.
    public func deliveries(_ count: Int) async throws -> [ReportDelivery] {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.deliveries.count >= count { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(count: count, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
        return Array(deliveries.prefix(count))
    }

    /// Stores the delivery and returns the prepared receipt.
    public func send(_ delivery: ReportDelivery) async -> ReportReceipt {
        let ready = state.withLock { state in
            state.deliveries.append(delivery)
            let count = state.deliveries.count
            let ready = state.waiters.filter { $0.value.count <= count }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.sorted { $0.key < $1.key }.map(\.value.continuation)
        }
        for continuation in ready { continuation.resume() }
        return await answer(delivery)
    }
}
