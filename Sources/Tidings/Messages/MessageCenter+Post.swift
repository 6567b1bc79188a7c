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
    @inlinable  // The compiler then knows the type where the message is posted.
    public func post<M: Message>(
        _ message: M,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let addressed = Incoming.with(message) { deliver($0, of: ObjectIdentifier(M.self)) }
        return addressed ?? send(message, fileID: fileID, line: line)
    }

    /// Calls handlers, as a turn of this center; nil if there is more to do than that.
    @usableFromInline
    func deliver(_ input: Incoming, of type: ObjectIdentifier) -> Int? {
        let thread = DeliveryThread.current
        return channel(of: type, on: thread).use { channel in
            guard channel.isDirect else { return nil }
            if channel.isEmpty { return 0 }
            if thread.isDelivering(for: self) { return nil }
            return thread.turn(of: self) {
                channel.deliver(input, on: thread) { error, registration in
                    report(error, of: registration)
                }
            }
        }
    }

    /// Sends where there is more to do than calling handlers on this thread now.
    @usableFromInline
    func send<M: Message>(_ message: M, fileID: StaticString, line: UInt) -> Int {
        let source = SourceLocation(fileID: fileID, line: line)
        return channel(of: ObjectIdentifier(M.self), on: .current).use { channel in
            send(message, by: channel, at: source)
        }
    }

    private func send<M: Message>(
        _ message: M,
        by channel: Channel,
        at source: SourceLocation
    ) -> Int {
        let snapshot = channel.snapshot()
        let thread = DeliveryThread.current
        guard thread.isDelivering(for: self) else {
            return thread.turn(of: self) {
                deliver(message, by: channel, to: snapshot, at: source)
            }
        }
        thread.enqueue(for: self) { [self] in
            _ = deliver(message, by: channel, to: snapshot, at: source)
        }
        return snapshot.countLiving()
    }

    /// Delivers to those in `snapshot`, each where it belongs.
    private func deliver<M: Message>(
        _ message: M,
        by channel: Channel,
        to snapshot: RosterSnapshot,
        at source: SourceLocation
    ) -> Int {
        if !watchers.isEmpty, let posting = MessagePosting(message, at: source) {
            _ = Incoming.with(posting) { watchers.deliver($0, on: .current) { _, _ in } }
        }
        var orphans = 0
        var turn = MainTurn(mainQueue, home: self)
        DeliveryThread.current.reading(channel) {
            snapshot.visit { registration in
                do {
                    let outcome = try turn.deliver(message, to: registration)
                    if case .orphan = outcome { orphans += 1 }
                } catch {
                    report(error, of: registration)
                }
            }
        }
        if orphans > 0 { channel.sweep() }
        return snapshot.extent.alive - orphans
    }

    /// Takes the error of a handler; no form of observing takes one that throws.
    func report(_ error: any Error, of registration: Registration) {}
}

extension MessageCenter {
    /// Tells `watcher` of every post, before its first handler runs.
    ///
    /// The watcher runs on the thread that delivers and must not post on this center: its own
    /// message would be shown to it without end. Without a watcher a post pays one load for this.
    package func observePostings(
        _ watcher: @escaping @Sendable (MessagePosting) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        registry.withLock { $0.addDetour(1) }
        let source = SourceLocation(fileID: fileID, line: line)
        let didEnd: @Sendable () -> Void = { [weak self] in
            self?.registry.withLock { $0.addDetour(-1) }
        }
        let extras = RegistrationExtras(didEnd: didEnd)
        let terms = RegistrationTerms(home: watchers, source: source, extras: extras)
        let registration = ClosureRegistration(terms, watcher)
        watchers.insert(registration)
        return ObservationToken(registration)
    }
}
