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
        guard let route = registry.withLock({ $0.route(of: ObjectIdentifier(M.self)) }) else {
            return 0
        }
        let thread = DeliveryThread.current
        if thread.isDelivering(for: self) {
            return enqueue(message, by: route, at: SourceLocation(fileID: fileID, line: line))
        }
        return thread.turn(of: self) {
            if route.isDirect {
                let orphans = Incoming.with(message) { route.recipients.deliver($0) }
                return addressed(route, orphans)
            }
            return deliver(message, by: route, at: SourceLocation(fileID: fileID, line: line))
        }
    }

    /// Leaves a message for the end of this center's turn on this thread.
    private func enqueue<M: Message>(
        _ message: M,
        by route: Route,
        at location: SourceLocation
    ) -> Int {
        DeliveryThread.current.enqueue(for: self) { [self] in
            _ = deliver(message, by: route, at: location)
        }
        return addressed(route, route.hasOwned ? route.recipients.orphans() : [])
    }

    /// Delivers where there is more to do than calling handlers on this thread.
    private func deliver<M: Message>(
        _ message: M,
        by route: Route,
        at location: SourceLocation
    ) -> Int {
        if route.isWatched, let posting = MessagePosting(message, at: location) {
            let watchers = registry.withLock { $0.watchers.registrations }
            _ = Incoming.with(posting) { watchers.deliver($0) }
        }
        var orphans: [ObservationRecord] = []
        var turn = MainTurn(mainQueue, home: self)
        for registration in route.recipients {
            if !turn.deliver(message, to: registration) { orphans.append(registration.record) }
        }
        return addressed(route, orphans)
    }

    /// How many observations a post addressed, after those whose owner has died are swept.
    private func addressed(_ route: Route, _ orphans: [ObservationRecord]) -> Int {
        if !orphans.isEmpty { sweep(orphans) }
        return route.recipients.count - orphans.count
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
        let registration = Registration(priority: .normal, watcher)
        registry.withLock { $0.watchers.insert(registration) }
        return ObservationToken(registration.record, home: self)
    }
}
