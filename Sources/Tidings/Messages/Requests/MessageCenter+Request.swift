// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Asks the first responder that there is and returns its answer.
    ///
    /// The request is first delivered as a message to those who observe its type, and is seen by
    /// those who watch the center, like every post. Then the first responder begins to answer:
    /// higher priority first, then the older one. Cancelling the task, or the end of `timeout`,
    /// ends the wait at once and cancels the task of the responder.
    ///
    /// ```swift
    /// let price = try await center.request(PriceOf(article: "Blue"), timeout: .seconds(5))
    /// ```
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - timeout: How long to wait for the answer; for ever, unless stated.
    ///   - clock: What measures that.
    ///   - fileID: The asking file, for errors and for those who watch the center.
    ///   - line: The asking line.
    /// - Returns: The answer, on the caller's actor.
    /// - Throws: What the responder throws; `noResponder` if there is none, `responderEnded` if it
    ///   was cancelled before it had answered, `timedOut`, `finished` if the center is, and
    ///   `CancellationError` if the task was cancelled first.
    public func request<R: Request>(
        _ request: R,
        timeout: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> R.Response {
        let source = SourceLocation(fileID: fileID, line: line)
        let answers = try ask(request, atMost: 1, source)
        guard let answer = answers.first else {
            throw TidingsError.noResponder("\(R.self)", at: source)
        }
        let fail = { @Sendable (error: any Error) in
            _ = answer.settle(.failure(error))
        }
        let deadline = Deadline(after: timeout, on: clock) {
            fail(TidingsError.noAnswer("\(R.self)", within: $0, at: source))
        }
        defer { deadline.cancel() }
        return try await answer.outcome { fail(CancellationError()) }.get()
    }

    /// Asks every responder at once and returns their answers in order.
    ///
    /// The request is delivered as in
    /// ``request(_:timeout:clock:fileID:line:)``. Each responder that there is
    /// begins to answer; a failure of one changes nothing for the others. When `timeout` ends,
    /// those
    /// that have not answered yet have failed with `timedOut`.
    ///
    /// ```swift
    /// let offers = try await center.requestAll(OfferFor(article: "Blue"), timeout: .seconds(2))
    /// let best = offers.compactMap { try? $0.get() }.min()
    /// ```
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - timeout: How long to wait for the answers; for ever, unless stated.
    ///   - clock: What measures that.
    ///   - fileID: The asking file, for errors and for those who watch the center.
    ///   - line: The asking line.
    /// - Returns: What each responder answered or threw, higher priority first, then the older one;
    ///   nothing if there is none.
    /// - Throws: `finished` if the center is, and `CancellationError` if the task was cancelled
    ///   before the last answer.
    public func requestAll<R: Request>(
        _ request: R,
        timeout: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Result<R.Response, any Error>] {
        let source = SourceLocation(fileID: fileID, line: line)
        let answers = try ask(request, atMost: .max, source)
        let fail = { @Sendable (error: any Error) in
            for answer in answers { answer.settle(.failure(error)) }
        }
        let deadline = Deadline(after: timeout, on: clock) {
            fail(TidingsError.noAnswer("\(R.self)", within: $0, at: source))
        }
        defer { deadline.cancel() }
        var outcomes: [Result<R.Response, any Error>] = []
        for answer in answers {
            outcomes.append(await answer.outcome { fail(CancellationError()) })
        }
        try Task.checkCancellation()
        return outcomes
    }

    /// Delivers a request to those who observe its type and then to responders, in order.
    ///
    /// - Returns: What those will answer that have begun to, at most `limit`.
    private func ask<R: Request>(
        _ request: R,
        atMost limit: Int,
        _ source: SourceLocation
    ) throws -> [Answer<R.Response>] {
        try Task.checkCancellation()
        var delivery = Delivery(message: request, source: source)
        let answers = channel(of: Inquiry<R>.self, on: .current).use { channel in
            let responders = channel.snapshot()
            delivery.responders = responders.countLiving()
            guard begin(&delivery) == nil else { return nil as [Answer<R.Response>]? }
            _ = sendBegun(delivery)
            // The message as the interceptors have left it.
            return begin(delivery.message, with: responders, of: channel, atMost: limit)
        }
        if let answers, !answers.isEmpty || !isFinished { return answers }
        throw isFinished
            ? TidingsError.finished("An answer to \(R.self)", at: source)
            : TidingsError.intercepted("\(R.self)", at: source)
    }

    /// Lets responders begin to answer, in order, outside every turn.
    private func begin<R: Request>(
        _ request: R,
        with responders: RosterSnapshot,
        of channel: Channel,
        atMost limit: Int
    ) -> [Answer<R.Response>] {
        var answers: [Answer<R.Response>] = []
        var hasOrphans = false
        DeliveryThread.current.reading(channel) {
            responders.visit { registration in
                guard answers.count < limit else { return }
                let inquiry = Inquiry(request: request)
                switch try? Incoming.with(inquiry, registration.call) {
                case .called: answers.append(inquiry.answer)
                case .orphan: hasOrphans = true
                default: break
                }
            }
        }
        if hasOrphans { channel.sweep() }
        return answers
    }
}
