// SPDX-License-Identifier: Apache-2.0

/// What a post waits for before it delivers.
///
/// ```swift
/// try await center.post(Measured(value: 21.5), waitingFor: .buffers)
/// ```
public enum PostingWait: Hashable, Sendable {
    /// Until no recipient would lose a message by it.
    case buffers
}

extension MessageCenter {
    /// Delivers a message as soon as every recipient has room for it.
    ///
    /// While a bounded buffer of a recipient is full, be it of a sequence, of a mailbox or of a
    /// main-actor handler, this waits instead of letting the buffer drop a message. Posters that
    /// wait get their turns in order, and each has a place of its own in every buffer when it
    /// delivers: they never make a buffer drop anything, nor exceed it. A buffer whose observation
    /// ends is not waited for any more. Posts that do not wait drop by the policy of the buffer.
    ///
    /// The recipients are those who observe when this is called. Inside an asynchronous handler it
    /// does not wait for the mailbox of that handler, nor for one whose handler waits for it in
    /// turn: there the policy of the buffer decides. A task that reads a sequence must not wait
    /// for that sequence's own buffer.
    ///
    /// ```swift
    /// for try await value in sensor.values {
    ///     try await center.post(Measured(value: value), waitingFor: .buffers)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything; it is kept until the message is delivered.
    ///   - wait: `.buffers`.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed.
    /// - Throws: `CancellationError` when the task is cancelled first. Nobody got the message then.
    @discardableResult
    public func post<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        waitingFor wait: PostingWait,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(CancellationError) -> Int {
        let source = SourceLocation(fileID: fileID, line: line)
        var delivery = Delivery(message: message, about: subject, source: source)
        if let taken = begin(&delivery) { return taken }
        let channel = channel(of: M.self, on: .current).use { $0 }
        let recipients = address(&delivery, by: channel)
        // While it waits it is not in progress: a center that finishes does not wait for it.
        inProgress.end()
        var search = PlaceSearch()
        // Filters are asked, so this reads the channel as a delivery does.
        DeliveryThread.current.reading(channel) {
            Incoming.with(delivery.message) { input in
                recipients.visit { registration in
                    guard delivery.isFor(registration) else { return }
                    // Those who observe something else receive something else.
                    let isOfType = registration.currentHome === channel
                    search.add(registration, isOfType ? input : nil)
                }
            }
        }
        let places = try await search.findAll()
        guard inProgress.begin() else {
            refuse(delivery)
            return 0
        }
        delivery.slip.places = PromisedPlaces(places, answers: search.answers)
        let addressed = delivery.count(recipients)
        send(delivery, by: channel, to: recipients, addressed, mode: .queued)
        return addressed
    }
}
