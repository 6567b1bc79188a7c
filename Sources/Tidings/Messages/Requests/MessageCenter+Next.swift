// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Returns the next message of a type that is posted after this call.
    ///
    /// It receives from the moment of the call and takes one message; nothing is left behind,
    /// whatever the end. A message that waits for its first recipient is taken at once, and later
    /// ones go on waiting for the next call.
    ///
    /// ```swift
    /// let login = try await center.next(LoggedIn.self, timeout: .seconds(5))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - timeout: How long to wait; for ever, unless stated.
    ///   - clock: What measures that.
    ///   - priority: Its place among the observations of this type.
    ///   - subject: What the message must be about; anything and nothing, unless stated.
    ///   - filter: Called on the poster's thread; false passes a message by.
    ///   - replay: Which retained messages count as posted after this call; none, unless stated.
    ///   - fileID: The calling file, for errors and for those who look for leaks.
    ///   - line: The calling line.
    /// - Returns: The message, on the caller's actor.
    /// - Throws: `timedOut` if none came in time, `finished` if the center finished first, and
    ///   `CancellationError` if the task was cancelled first; no message is lost then.
    public func next<M: Message>(
        _ type: M.Type,
        timeout: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        priority: ObservationPriority = .normal,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        replay: Replay = .none,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> M {
        try Task.checkCancellation()
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(
            priority,
            once: true,
            about: subject,
            where: filter,
            replay: replay,
            source
        )
        let answer = Answer<M>()
        let token = observe(wish, settling: answer)
        // Who ends the observation decides: if it was a message, that is on its way here.
        let fail = { @Sendable (error: any Error) in
            token.end { _ = answer.settle(.failure(error)) }
        }
        let deadline = Deadline(after: timeout, on: clock) {
            fail(TidingsError.noMessage("\(M.self)", within: $0, at: source))
        }
        defer { deadline.cancel() }
        let outcome = await answer.outcome { fail(CancellationError()) }
        return try withExtendedLifetime(token) { try outcome.get() }
    }

    private func observe<M: Message>(
        _ wish: ObservationWish<M>,
        settling answer: Answer<M>
    ) -> ObservationToken {
        let error = TidingsError.finished("The next \(M.self)", at: wish.source)
        let promise = AnswerPromise(answer, failing: error)
        return add(wish) { terms in ClosureRegistration(terms) { promise.keep($0) } }
    }
}

/// What a handler holds of an answer: if the handler goes and was not called, the answer is an
/// error.
private final class AnswerPromise<Value: Sendable>: Sendable {
    private let answer: Answer<Value>
    private let error: any Error

    init(_ answer: Answer<Value>, failing error: any Error) {
        self.answer = answer
        self.error = error
    }

    deinit { answer.settle(.failure(error)) }

    func keep(_ value: Value) {
        answer.settle(.success(value))
    }
}

extension ObservationToken {
    /// Ends the observation, and calls `ended` if it was this caller who did: before the handler is
    /// released.
    fileprivate func end(_ ended: () -> Void) {
        guard registration.end() else { return }
        ended()
        registration.currentHome?.remove(registration)
    }
}
