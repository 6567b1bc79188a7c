// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message and waits until every handler is done with it, queued and asynchronous
    /// ones included.
    ///
    /// What a buffer drops, and what ends with its observation, counts as done; so does a message
    /// that a sequence has buffered. Inside an asynchronous handler it does not wait for the
    /// observation of that handler, nor for one that waits for it in turn; a task that was started
    /// inside a call belongs to it until it has returned.
    ///
    /// The errors of the handlers that it waits for are gathered in the report, and nowhere else.
    /// When the waiting task is cancelled, this returns at once: the handlers go on, the report
    /// says how many are not finished, and their errors go to the error hooks.
    ///
    /// ```swift
    /// let report = await center.postAndWait(LoggedOut())
    /// for failure in report.failures { print(failure) }
    /// ```
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything; it is kept until the message is delivered.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed, and what went wrong.
    @discardableResult
    public func postAndWait<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> DeliveryReport {
        let source = SourceLocation(fileID: fileID, line: line)
        let tally = PostTally()
        let slip = DeliverySlip(tally: tally)
        let delivery = Delivery(message: message, about: subject, source: source, slip: slip)
        return await tally.wait(recipients: send(delivery))
    }
}
