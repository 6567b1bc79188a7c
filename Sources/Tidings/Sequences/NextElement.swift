// SPDX-License-Identifier: Apache-2.0

/// The next element of a selection, which may not have arrived yet.
///
/// It receives from the call of `next` that returned it, so a post between that call and the wait
/// is not missed. Dropping it ends the observation and leaves no registration behind.
///
/// ```swift
/// let reply = center.messages(of: Replied.self).next(timeout: .seconds(5))
/// center.post(Asked())
/// print(try await reply.value)
/// ```
public struct NextElement<Element: Sendable>: Sendable {
    private let wait: ElementWait<Element>

    init(_ wait: ElementWait<Element>) {
        self.wait = wait
    }

    /// The element, on the caller's actor.
    ///
    /// Reading it again returns the same element. If a waiting task is cancelled, the wait ends for
    /// all waiting tasks, unless the message came first: then each of them receives it.
    ///
    /// - Throws: `timedOut` if no message came in time, `finished` if the center finished first,
    ///   and `CancellationError` if the task was cancelled first.
    public var value: Element {
        get async throws { try await wait.outcome().get() }
    }
}

/// An observation that ends with its first message, its time limit or its last reference.
final class ElementWait<Element: Sendable>: Sendable {
    private let token: ObservationToken
    private let answer: Answer<Element>

    /// - Parameters:
    ///   - token: The token of the observation that settles `answer`.
    ///   - answer: Settled by the message or by the end of the center.
    init(_ token: ObservationToken, settling answer: Answer<Element>) {
        self.token = token
        self.answer = answer
    }

    deinit { Self.end(token, answer, CancellationError()) }

    /// Ends the wait after the time limit.
    func limit(
        to timeout: Duration?,
        on clock: some Clock<Duration>,
        _ error: @escaping @Sendable (Duration) -> any Error
    ) {
        let deadline = Deadline(after: timeout, on: clock) { [token, answer] in
            Self.end(token, answer, error($0))
        }
        answer.whenSettled { deadline.cancel() }
    }

    func outcome() async -> Result<Element, any Error> {
        await answer.outcome { [token, answer] in Self.end(token, answer, CancellationError()) }
    }

    /// Ends the observation and settles the answer with an error, unless another call ended it.
    ///
    /// If a message ended it, the handler is about to settle the answer.
    private static func end(
        _ token: ObservationToken,
        _ answer: Answer<Element>,
        _ error: any Error
    ) {
        token.end { answer.settle(.failure(error)) }
    }
}

extension ObservationToken {
    /// Ends the observation.
    ///
    /// If this call is the one that ends it, it calls `ended` before the handler is released.
    fileprivate func end(_ ended: () -> Void) {
        guard registration.end() else { return }
        ended()
        registration.currentHome?.remove(registration)
    }
}
