// SPDX-License-Identifier: Apache-2.0

/// The next element of a selection, which may not have arrived yet.
///
/// The observation starts with the call of `next`, so a post between that call and the wait is not
/// missed. Dropping the value ends the observation and leaves no registration behind.
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
    /// Reading the property again returns the same element. If a waiting task is cancelled, the
    /// wait ends for all waiting tasks. If the message came first, every waiting task receives the
    /// message.
    ///
    /// - Throws: `timedOut` if no message came in time, `finished` if the center finished first,
    ///   and `CancellationError` if the task was cancelled first.
    public var value: Element {
        get async throws { try await wait.outcome().get() }
    }
}

/// An observation that ends with the first message, the time limit or the last reference.
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

    deinit { Self.end(token, answer, with: CancellationError()) }

    /// Ends the wait after the time limit.
    func limit(
        to timeout: Duration?,
        on clock: some Clock<Duration>,
        _ error: @escaping @Sendable (Duration) -> any Error
    ) {
        let deadline = Deadline(after: timeout, on: clock) { [token, answer] in
            Self.end(token, answer, with: error($0))
        }
        answer.whenSettled { deadline.cancel() }
    }

    func outcome() async -> Result<Element, any Error> {
        await answer.outcome { [token, answer] in
            Self.end(token, answer, with: CancellationError())
        }
    }

    /// Ends the observation and settles the answer with an error, unless another call ended the
    /// observation.
    ///
    /// If a message ended the observation, the handler is about to settle the answer.
    private static func end(
        _ token: ObservationToken,
        _ answer: Answer<Element>,
        with error: any Error
    ) {
        token.end { answer.settle(.failure(error)) }
    }
}

extension ObservationToken {
    /// Ends the observation.
    ///
    /// If no other call has ended the observation, this call runs `ended` before the handler is
    /// released.
    fileprivate func end(_ ended: () -> Void) {
        guard registration.end() else { return }
        ended()
        registration.currentHome?.remove(registration)
    }
}
