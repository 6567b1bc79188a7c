// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message to the observers of the message type, with or without a subject, to the
    /// observers of all messages, to watchers and to unhandled hooks.
    ///
    /// The registrations are read in place, so this method allocates nothing and retains nothing.
    /// The method is not generic, because a generic step would look up metadata of the message's
    /// type.
    ///
    /// - Returns: The number of addressed observations, or nil if the post needs more than calling
    ///   handlers on this thread now. When the result is nil, no handler was called.
    func deliverInline(_ message: PostedMessage) -> Int? {
        let thread = DeliveryThread.current
        guard !thread.isDelivering(for: self), !inProgress.isClosed else { return nil }
        return channel(of: message.type, on: thread).use { channel in
            guard channel.slowPathReasons.allowInline else { return nil }
            return thread.turn(of: self) {
                let addressed =
                    tracing.isWatched
                    ? deliverWatched(message, by: channel, on: thread)
                    : deliverUnwatched(message, by: channel, on: thread)
                if addressed == 0 { callUnhandledHooks(message, on: thread) }
                return addressed
            }
        }
    }

    /// Delivers a message without watchers.
    ///
    /// The recipients are counted before the first call, since a handler may release the owner of
    /// another recipient. A single recipient is counted by the call.
    private func deliverUnwatched(
        _ message: PostedMessage,
        by channel: Channel,
        on thread: DeliveryThread
    ) -> Int? {
        var hasExpired = false
        let addressed = withRecipients(of: message, by: channel, on: thread) { subscribers, all in
            let isAlone = subscribers.count == 1
            let addressed = isAlone ? 0 : subscribers.countAddressed(about: message.subject)
            var reached = 0
            subscribers.visit { registration, observesAll in
                guard registration.isFor(message.subject) else {
                    hasExpired = hasExpired || registration.isExpired
                    return
                }
                do {
                    switch try registration.call(observesAll ? all : message.input) {
                    case .expired: hasExpired = true
                    case .ended: break
                    case .called, .queued, .skipped: reached += 1
                    }
                } catch {
                    reached += 1
                    report(error, of: registration)
                }
            }
            return isAlone ? reached : addressed
        }
        if hasExpired { sweep(channel) }
        return addressed
    }

    private func deliverWatched(
        _ message: PostedMessage,
        by channel: Channel,
        on thread: DeliveryThread
    ) -> Int? {
        var trace = DeliveryTrace()
        var hasExpired = false
        let addressed = withRecipients(of: message, by: channel, on: thread) { subscribers, all in
            let addressed = subscribers.countAddressed(about: message.subject)
            let origin = thread.traceOrigin(of: self)
            let stamp = PostStamp(message.content, origin: origin, recipients: addressed)
            trace = beginTrace(stamp, message.input)
            subscribers.visit { registration, observesAll in
                guard registration.isFor(message.subject) else {
                    hasExpired = hasExpired || registration.isExpired
                    return
                }
                do {
                    let outcome = try trace.noting(registration) {
                        try registration.call(observesAll ? all : message.input)
                    }
                    if outcome == .expired { hasExpired = true }
                } catch {
                    report(error, of: registration)
                }
            }
            return addressed
        }
        guard let addressed else { return nil }
        endTrace(trace, message.input)
        if hasExpired { sweep(channel) }
        return addressed
    }

    /// Calls `body` with the current registrations for a message, and with the value that observers
    /// of all messages receive.
    ///
    /// - Returns: The result of `body`, or nil if a registration needs more than a call.
    @inline(__always)
    private func withRecipients(
        of message: PostedMessage,
        by channel: Channel,
        on thread: DeliveryThread,
        _ body: (BorrowedSubscribers, Incoming) -> Int
    ) -> Int? {
        thread.reading(channel) {
            channel.withBuffer { own in
                if wildcards.isEmpty {
                    let subscribers = BorrowedSubscribers(own)
                    // The reasons are checked after the registrations were read, because the
                    // channel adds a slow-path reason before the registration that needs the reason
                    // becomes visible.
                    return channel.slowPathReasons.allowInline
                        ? body(subscribers, message.input) : nil
                }
                return thread.reading(wildcards) {
                    wildcards.withBuffer { all in
                        let subscribers = BorrowedSubscribers(own, all)
                        guard channel.slowPathReasons.allowInline,
                            wildcards.slowPathReasons.allowInline
                        else { return nil }
                        let existential = message.type.existential(of: message.input)
                        // Without `as`, Swift would open the existential and pass the message
                        // itself.
                        return Incoming.with(existential as any Message) { body(subscribers, $0) }
                    }
                }
            }
        }
    }

    private func sweep(_ channel: Channel) {
        channel.sweep()
        wildcards.sweep()
    }

    private func callUnhandledHooks(_ message: PostedMessage, on thread: DeliveryThread) {
        guard !unhandledHooks.isEmpty, !thread.isInside(.unhandled, of: self) else { return }
        callUnhandledHooks(
            message.type.existential(of: message.input),
            named: .type(message.type),
            at: message.source
        )
    }
}

/// A message in delivery on the poster's thread, without a static type.
struct PostedMessage {
    let input: Incoming
    let type: any Message.Type
    /// The object that the message is about.
    let subject: (any AnyObject & Sendable)?
    let source: SourceLocation

    /// The content of the post, in the form for watchers.
    var content: PostContent {
        PostContent(
            type: type,
            name: .type(type),
            source: source,
            subject: subject
        )
    }
}

@available(*, unavailable)
extension PostedMessage: Sendable {}

extension Message {
    /// Returns the message in the form for observers of all messages.
    fileprivate static func existential(of input: Incoming) -> any Message {
        input.read { (message: borrowing Self) in copy message }
    }
}
