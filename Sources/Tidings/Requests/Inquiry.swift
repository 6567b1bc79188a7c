// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A request that the center sends to one responder.
///
/// Responders are registered for this type and not for the request, so the observers of a request
/// do not include the responders.
struct Inquiry<R: Request>: Message {
    let request: R
    let answer = Answer<R.Response>()
}

/// Answers one request.
typealias Responder<R: Request> = @concurrent @Sendable (R) async throws -> R.Response

/// The inquiries that one responder has not answered yet.
final class PendingAnswers<R: Request>: Sendable {
    private struct State {
        var responder: Responder<R>?
        var isClosed = false
        var lastID = 0
        /// The closures that fail the requests which will not be answered.
        var pending: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Lock<State>

    init(_ responder: @escaping Responder<R>) {
        state = Lock(State(responder: responder))
    }

    /// Starts to answer an inquiry.
    ///
    /// - Returns: False if the responder has ended.
    func begin(_ inquiry: Inquiry<R>, endedError: @escaping @Sendable () -> any Error) -> Bool {
        guard let responder = state.withLock({ $0.responder }) else { return false }
        let (request, answer) = (inquiry.request, inquiry.answer)
        let id = enter { answer.settle(.failure(endedError())) }
        answer.whenSettled { [self] in leave(id) }
        // The task inherits the requester's priority and task-local values, as a direct call would.
        let task = Task {
            do {
                answer.settle(.success(try await responder(request)))
            } catch {
                answer.settle(.failure(error))
            }
        }
        answer.whenSettled { task.cancel() }
        return true
    }

    /// Answers no more requests, and fails the pending ones.
    func close() {
        let (pending, responder) = state.withLock { state in
            state.isClosed = true
            defer { state.pending = [:] }
            return (state.pending, state.responder.take())
        }
        for fail in pending.values { fail() }
        withExtendedLifetime(responder) {}
    }

    /// Answers no more requests, but lets the answers in progress continue.
    func retire() {
        withExtendedLifetime(state.withLock { $0.responder.take() }) {}
    }

    private func enter(_ fail: @escaping @Sendable () -> Void) -> Int {
        let (id, isClosed) = state.withLock { state in
            state.lastID += 1
            if !state.isClosed { state.pending[state.lastID] = fail }
            return (state.lastID, state.isClosed)
        }
        if isClosed { fail() }
        return id
    }

    private func leave(_ id: Int) {
        withExtendedLifetime(state.withLock { $0.pending.removeValue(forKey: id) }) {}
    }
}
