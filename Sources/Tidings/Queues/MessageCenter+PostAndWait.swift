// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message and waits until every handler is done, including queued and asynchronous
    /// handlers.
    ///
    /// **Room.** While a bounded buffer of a recipient is full, the post waits, so the buffer does
    /// not drop a message. The recipient may be a sequence, an asynchronous handler or a main-actor
    /// handler. Waiting posts proceed in order, and each post has a separate place in every buffer
    /// at the time of delivery. The recipients are the observers at the moment of the call. A post
    /// stops waiting for a buffer whose observation ends. A task that reads a bounded sequence must
    /// not wait in this way for room in the same sequence.
    ///
    /// **Handlers.** A message that a sequence has buffered counts as done, and so does a message
    /// that ends with the observation. Inside an asynchronous handler, the post waits neither for
    /// the observation of this handler nor for an observation that waits for this handler in turn.
    /// A full buffer of such an observation drops by its policy. A task that was started inside a
    /// call belongs to the call until the call returns.
    ///
    /// **Errors.** The report contains the errors of the handlers, and no hook receives these
    /// errors.
    ///
    /// **Cancellation.** When the task is cancelled, this call returns immediately. If the post is
    /// still waiting for room, no handler receives the message. Otherwise the handlers continue,
    /// the report counts the unfinished handlers, and the errors of these handlers go to the error
    /// hooks.
    ///
    /// ```swift
    /// let report = await center.postAndWait(LoggedOut())
    /// for failure in report.failures { print(failure) }
    /// ```
    ///
    /// - Parameters:
    ///   - message: The message to deliver.
    ///   - subject: The object that the message is about, if any, kept until the message is
    ///     delivered.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: The number of addressed observations, and the failures.
    @discardableResult
    public func postAndWait<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> DeliveryReport {
        let source = SourceLocation(fileID: fileID, line: line)
        let group = DeliveryGroup()
        let context = DeliveryContext(group: group)
        var delivery = Delivery(message: message, about: subject, source: source, context: context)
        if let taken = begin(&delivery) { return DeliveryReport(undelivered: taken) }
        let channel = channel(of: M.self, on: .current).use { $0 }
        let recipients = address(&delivery, by: channel)
        guard await findPlaces(for: &delivery, in: channel, recipients) else {
            return DeliveryReport(undelivered: 0)
        }
        let addressed = delivery.count(recipients)
        send(delivery, by: channel, to: recipients, addressed)
        return await group.wait(recipients: addressed)
    }

    /// Waits until every bounded buffer of the recipients has a place for a message.
    ///
    /// - Returns: Whether the message is to be delivered. Otherwise it is no longer in progress.
    private func findPlaces<M: Message>(
        for delivery: inout Delivery<M>,
        in channel: Channel,
        _ recipients: SubscriberSnapshot
    ) async -> Bool {
        var search = PlaceSearch()
        search.add(recipients, of: delivery, in: channel)
        if search.isNeedless { return true }
        // A waiting post is not in progress, so a finishing center does not wait for the post.
        inProgress.end()
        guard let places = await search.findAll() else { return false }
        guard inProgress.begin() else {
            refuse(delivery)
            return false
        }
        delivery.context.places = PromisedPlaces(places, answers: search.answers)
        return true
    }
}

extension PlaceSearch {
    /// Adds the queues of all recipients of a message.
    fileprivate mutating func add<M: Message>(
        _ recipients: SubscriberSnapshot,
        of delivery: Delivery<M>,
        in channel: Channel
    ) {
        // This calls filters, so the thread reads the channel, as in a delivery.
        DeliveryThread.current.reading(channel) {
            Incoming.with(delivery.message) { input in
                recipients.visit { registration in
                    guard registration.isFor(delivery.about) else { return }
                    // An observer of another form receives another value.
                    let isOfType = registration.currentHome === channel
                    add(registration, isOfType ? input : nil)
                }
            }
        }
    }
}

extension DeliveryReport {
    /// The report of a message that no handler received.
    fileprivate init(undelivered recipients: Int) {
        self.init(recipients: recipients, failures: [], isDelivered: false, unfinished: 0)
    }
}

/// The outcome of a message whose poster waited for the handlers.
///
/// ```swift
/// let report = await center.postAndWait(LoggedIn(name: "Ada"))
/// for failure in report.failures { print(failure) }
/// ```
public struct DeliveryReport: Sendable {
    /// The number of observations that the message addressed.
    public let recipients: Int
    /// The errors of handlers, in the order in which they were thrown.
    public let failures: [HandlerFailure]
    /// Whether the center delivered the message.
    ///
    /// False if the task was cancelled or the center finished while a buffer was full, or if an
    /// interceptor stopped the message. In these cases no handler received the message.
    package let isDelivered: Bool
    /// The number of handlers still running when the waiting task was cancelled, otherwise 0.
    public let unfinished: Int
}
