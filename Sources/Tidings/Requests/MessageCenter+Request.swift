// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Sends a request to the first available responder and returns the answer.
    ///
    /// The center first delivers the request as a message to the observers of that type, and
    /// watchers see the request like every post. Then the first responder starts to answer.
    /// Responders with a higher priority come first, then older ones. Cancelling the task, or the
    /// end of `timeout`, ends the wait immediately and cancels the responder's task.
    ///
    /// ```swift
    /// let price = try await center.request(PriceOf(article: "Blue"), timeout: .seconds(5))
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - timeout: The longest wait for the answer, or nil to wait forever.
    ///   - clock: The clock that measures the timeout.
    ///   - fileID: The requesting file, for errors and for watchers of the center.
    ///   - line: The requesting line.
    /// - Returns: The answer, on the caller's actor.
    /// - Throws: The error of the responder, `noObservers` without a responder, `finished` if the
    ///   responder was cancelled before the answer or the center has finished, `timedOut`, and
    ///   `CancellationError` if the task was cancelled first.
    public func request<R: Request>(
        _ request: R,
        timeout: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> R.Response {
        let source = SourceLocation(fileID: fileID, line: line)
        let answer = try await answer(request, about: nil, within: timeout, on: clock, source)
        guard let answer else {
            throw TidingsError.noResponder("\(R.self)", at: source)
        }
        return answer
    }

    /// Sends a request about a subject to the first available responder, as `request` does.
    ///
    /// - Returns: The answer, or nil without a responder.
    package func answer<R: Request>(
        to request: R,
        about subject: any AnyObject & Sendable,
        timeout: Duration?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> R.Response? {
        let source = SourceLocation(fileID: fileID, line: line)
        return try await answer(request, about: subject, within: timeout, on: .continuous, source)
    }

    private func answer<R: Request>(
        _ request: R,
        about subject: (any AnyObject & Sendable)?,
        within timeout: Duration?,
        on clock: some Clock<Duration>,
        _ source: SourceLocation
    ) async throws -> R.Response? {
        guard let answer = try ask(request, about: subject, at: source) else { return nil }
        let fail = { @Sendable (error: any Error) in
            _ = answer.settle(.failure(error))
        }
        let deadline = Deadline(after: timeout, on: clock) {
            fail(TidingsError.noAnswer("\(R.self)", within: $0, at: source))
        }
        defer { deadline.cancel() }
        return try await answer.outcome { fail(CancellationError()) }.get()
    }

    /// Delivers a request to the observers of that type and then to the first responder.
    ///
    /// - Returns: The pending answer of the responder that has started, or nil without a responder.
    private func ask<R: Request>(
        _ request: R,
        about subject: (any AnyObject & Sendable)?,
        at source: SourceLocation
    ) throws -> Answer<R.Response>? {
        try Task.checkCancellation()
        var delivery = Delivery(message: request, about: subject, source: source)
        let (isDelivered, answer) = channel(of: Inquiry<R>.self, on: .current).use { channel in
            let responders = channel.snapshot()
            delivery.responders = responders.countLiving()
            guard begin(&delivery) == nil else { return (false, nil as Answer<R.Response>?) }
            _ = sendBegun(delivery)
            // `delivery.message` is the message that the interceptors returned.
            return (true, begin(delivery.message, with: responders, of: channel))
        }
        if isDelivered, answer != nil || !isFinished { return answer }
        throw isFinished
            ? TidingsError.finished("An answer to \(R.self)", at: source)
            : TidingsError.intercepted("\(R.self)", at: source)
    }

    /// Calls the responders in order until one starts to answer, outside every turn.
    private func begin<R: Request>(
        _ request: R,
        with responders: SubscriberSnapshot,
        of channel: Channel
    ) -> Answer<R.Response>? {
        var answer: Answer<R.Response>?
        var hasExpired = false
        DeliveryThread.current.reading(channel) {
            responders.visit { registration in
                guard answer == nil else { return }
                let inquiry = Inquiry(request: request)
                switch try? Incoming.with(inquiry, registration.call) {
                case .called: answer = inquiry.answer
                case .expired: hasExpired = true
                case .queued, .ended, .skipped, nil: break
                }
            }
        }
        if hasExpired { channel.sweep() }
        return answer
    }
}

/// A message that asks for a response.
///
/// A responder answers with ``MessageCenter/respond(to:priority:fileID:line:_:)``, and a requester
/// asks with ``MessageCenter/request(_:timeout:clock:fileID:line:)``. The two do not refer to each
/// other. The request is also a message, so observers of its type receive every request.
///
/// ```swift
/// struct PriceOf: Request {
///     typealias Response = Int
///     let article: String
/// }
///
/// let token = center.respond(to: PriceOf.self) { request in
///     try await shop.price(of: request.article)
/// }
/// let price = try await center.request(PriceOf(article: "Blue"), timeout: .seconds(5))
/// ```
public protocol Request: Message {
    /// The type of the answer.
    associatedtype Response: Sendable
}
