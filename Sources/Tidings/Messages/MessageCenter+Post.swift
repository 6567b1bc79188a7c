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
        if route.isDirect {
            let addressed = Incoming.with(message) { deliver($0, by: route) }
            if let addressed { return addressed }
        }
        return post(message, by: route, at: SourceLocation(fileID: fileID, line: line))
    }

    /// Delivers where nothing but calling handlers is to be done; nil inside a handler of this
    /// center, where the message must wait.
    private func deliver(_ message: Incoming, by route: Route) -> Int? {
        DeliveryThread.current { thread in
            if thread.isDelivering(for: self) { return nil }
            thread.begin(self)
            let orphans = route.recipients.deliver(message)
            thread.end()
            sweep(orphans)
            return route.recipients.count - orphans.count
        }
    }

    /// Delivers in every other case.
    private func post<M: Message>(
        _ message: M,
        by route: Route,
        at location: SourceLocation
    ) -> Int {
        DeliveryThread.current { thread in
            guard thread.isDelivering(for: self) else {
                return thread.deliver(for: self) { deliver(message, by: route, at: location) }
            }
            let orphans = route.hasOwned ? route.recipients.orphans() : []
            sweep(orphans)
            thread.enqueue(for: self) { [self] in
                _ = deliver(message, by: route, at: location)
            }
            return route.recipients.count - orphans.count
        }
    }

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
        sweep(orphans)
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
