// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge
import TidingsLock

/// The requests of one connection that wait for answers.
final class RequestTable: Sendable {
    typealias Answer = Result<[UInt8], TransportError>

    private struct Pending {
        let subject: String
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Answer, Never>
    }

    private let state = Lock((last: 0, pending: [Int: Pending]()))

    /// Starts a request with a number and waits for the answer, or until a cancellation.
    func answer(
        to subject: String,
        within limit: Duration,
        send: @Sendable (Int) -> Void
    ) async -> Answer {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let pending = Pending(
                    subject: subject,
                    deadline: .now + limit,
                    continuation: continuation
                )
                state.withLock { $0.pending[number] = pending }
                if Task.isCancelled { cancel(number) } else { send(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Ends the wait of one request, and ignores a number without a request.
    func resolve(_ number: Int, _ answer: Answer) {
        let pending = state.withLock { $0.pending.removeValue(forKey: number) }
        pending?.continuation.resume(returning: answer)
    }

    /// Ends the wait of all requests to a subject, or of all requests if the subject is nil.
    func failAll(to subject: String? = nil, _ error: TransportError) {
        let numbers = state.withLock { state in
            state.pending.filter { subject == nil || $0.value.subject == subject }.map(\.key)
        }
        for number in numbers { resolve(number, .failure(error)) }
    }

    /// Whether a request has waited longer than the limit of the request.
    func isOverdue(at time: ContinuousClock.Instant) -> Bool {
        state.withLock { state in state.pending.values.contains { $0.deadline < time } }
    }

    private func cancel(_ number: Int) {
        resolve(number, .failure(TransportError(.closed, "The task was cancelled.")))
    }
}
#endif
