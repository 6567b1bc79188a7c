// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message to everybody who observes its type.
    ///
    /// Returns after every handler that runs on this thread has returned; by then the deliveries
    /// to the main actor and to sequences are queued. Called inside a handler of the same center,
    /// on its thread, it only queues the message: it is delivered to those who observe now, after
    /// the last handler of the current post.
    ///
    /// ```swift
    /// let recipients = center.post(LoggedIn(name: "Ada"))
    /// ```
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed: registered, with a living owner.
    @discardableResult
    public func post<M: Message>(
        _ message: M,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let (recipients, watchers) = registry.withLock { registry in
            (registry.roster(of: ObjectIdentifier(M.self)), registry.watchers)
        }
        let location = SourceLocation(fileID: fileID, line: line)
        let delivery = Delivery(
            recipients: recipients ?? Roster(),
            watchers: watchers,
            location: location
        )
        if delivery.isEmpty { return 0 }
        let thread = DeliveryThread.current
        guard thread.isDelivering(for: self) else {
            return thread.deliver(for: self) { deliver(message, by: delivery) }
        }
        let orphans = delivery.recipients.orphans()
        sweep(orphans)
        thread.enqueue(for: self) { [self] in _ = deliver(message, by: delivery) }
        return delivery.recipients.count - orphans.count
    }

    /// What a post found when it was called.
    private struct Delivery: Sendable {
        let recipients: Roster
        let watchers: Roster
        let location: SourceLocation

        var isEmpty: Bool { recipients.isEmpty && watchers.isEmpty }
    }

    private func deliver<M: Message>(_ message: M, by delivery: Delivery) -> Int {
        if !delivery.watchers.isEmpty, let posting = MessagePosting(message, at: delivery.location)
        {
            delivery.watchers.forEach(of: MessagePosting.self) { _ = $0.deliver(posting) }
        }
        var orphans: [ObservationRecord] = []
        if delivery.recipients.hasMain {
            var main = MainTurn(mainQueue, home: self)
            delivery.recipients.forEach(of: M.self) { registration in
                if !main.deliver(message, to: registration) { orphans.append(registration.record) }
            }
        } else {
            delivery.recipients.forEach(of: M.self) { registration in
                if !registration.deliver(message) { orphans.append(registration.record) }
            }
        }
        sweep(orphans)
        return delivery.recipients.count - orphans.count
    }
}

extension MessageCenter {
    /// Tells `watcher` of every post, before its first handler runs.
    ///
    /// The watcher runs on the thread that delivers and must not post on this center: its own
    /// message would be shown to it without end. Without a watcher a post pays one load for this.
    package func observePostings(
        _ watcher: @escaping @Sendable (MessagePosting) -> Void
    ) -> ObservationToken {
        let registration = Registration(call: .plain(watcher))
        registry.withLock { $0.watchers.insert(registration) }
        return ObservationToken(registration.record, home: self)
    }
}
