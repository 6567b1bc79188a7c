// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message to observers of its type, about a subject or not, to those of all
    /// messages, to watchers and to unhandled hooks.
    ///
    /// Reads the registrations where they are, so it allocates nothing and counts no reference. Not
    /// generic: a step that is would look up what is known of the message's type.
    ///
    /// - Returns: How many it addressed; nil if there is more to do than calling handlers on this
    ///   thread now. Then nobody was called.
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

    /// Counts the recipients before the first call, since a handler may be what releases the owner
    /// of another one; one alone is counted by its call.
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

    /// Calls `body` with those who are registered for a message now, and with what those receive
    /// who observe all messages.
    ///
    /// - Returns: What `body` returns; nil if one of them needs more than a call.
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
                    // Asked after the registrations were read: a slow-path reason is added before
                    // the one that needs it is shown.
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
                        // Without `as` it would be opened, and lead to the message itself.
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

/// A message on its way to those who are called on the poster's thread, without its type.
struct PostedMessage {
    let input: Incoming
    let type: any Message.Type
    /// The object that it is about.
    let subject: (any AnyObject & Sendable)?
    let source: SourceLocation

    /// The same, as watchers are shown it.
    var content: PostContent {
        PostContent(
            type: type,
            name: .type(type),
            source: source,
            subject: subject.map { Swift.type(of: $0) }
        )
    }
}

@available(*, unavailable)
extension PostedMessage: Sendable {}

extension Message {
    /// Returns the message as those receive it who observe all messages.
    fileprivate static func existential(of input: Incoming) -> any Message {
        input.read { (message: borrowing Self) in copy message }
    }
}
