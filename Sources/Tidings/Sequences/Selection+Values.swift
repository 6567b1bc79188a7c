// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// The elements from this moment on, as an asynchronous sequence.
    ///
    /// The sequence receives elements from the moment of creation, not from the first `next`. A
    /// sequence of states starts with the current state. A further iterator starts with the state
    /// that is current when the iterator is made. With `.newest(1)`, a state may be replaced on the
    /// way to the buffer, and then does not count as dropped.
    ///
    /// ```swift
    /// for await message in center.messages(of: LoggedIn.self).values { print(message.name) }
    /// ```
    public var values: ObservationSequence<Element> {
        let (kind, options, source) = (kind, options, source)
        return ObservationSequence { [weak origin] layout in
            origin?.observe(kind, options, into: layout, at: source)
        }
    }

    /// Starts to wait for the next element.
    ///
    /// The observation receives elements from this call on, awaited or not, and takes one element.
    /// If messages are pending for their first recipient, the observation takes one message and
    /// leaves the rest pending. For states, the observation takes the current state, unless a
    /// filter rejects that state.
    ///
    /// ```swift
    /// let reply = center.messages(of: Replied.self).next(timeout: .seconds(5))
    /// center.post(Asked())
    /// print(try await reply.value)
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: The longest wait, from this call on, or nil to wait forever.
    ///   - clock: The clock that measures the timeout.
    ///   - fileID: The calling file, for errors and for the leak report.
    ///   - line: The calling line.
    /// - Returns: The element to await. Dropping the element ends the observation.
    public func next(
        timeout: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NextElement<Element> {
        let source = SourceLocation(fileID: fileID, line: line)
        let answer = Answer<Element>()
        let wait = ElementWait(observe(settling: answer, at: source), settling: answer)
        wait.limit(to: timeout, on: clock) {
            TidingsError.noMessage("\(Element.self)", within: $0, at: source)
        }
        return NextElement(wait)
    }

    private func observe(
        settling answer: Answer<Element>,
        at source: SourceLocation
    ) -> ObservationToken {
        let error = TidingsError.finished("The next \(Element.self)", at: source)
        let promise = AnswerPromise(answer, failing: error)
        var single = self
        single.options.isOnce = true
        return single.attach(at: source) { ClosureRegistration($0) { promise.keep($0) } }
    }
}

extension SelectionOrigin {
    /// Registers an observation that queues elements in a sequence's buffer.
    fileprivate func observe<Element: Sendable>(
        _ kind: SelectionKind,
        _ options: ObservationOptions<Element>,
        into layout: ValueLayout,
        at source: SourceLocation
    ) -> ObservedBuffer {
        let buffering = options.buffering ?? .unbounded
        if case .states = kind {
            let feed = BufferFeed<Element>(buffering, of: layout)
            let place: RegistrationFlags = buffering == .newest(1) ? .latest : []
            let token = register(kind, with: options, on: place, at: source) {
                ClosureRegistration($0) { feed.push($0) }
            }
            return ObservedBuffer(feed.buffer, token: token)
        }
        let buffer = ObservationBuffer(buffering, of: layout)
        let token = register(kind, with: options, at: source) { SequenceRegistration($0, buffer) }
        return ObservedBuffer(buffer, token: token)
    }
}

/// A handler's reference to an answer, which fails if the handler is released before a call.
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
