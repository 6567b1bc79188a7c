// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Loads stale data again whenever a message says that this may help, while anybody observes.
    ///
    /// For a connection that came back, or a program that returned to the front. It ends with the
    /// resource.
    ///
    /// ```swift
    /// lessons.refresh(on: ConnectivityChanged.self, of: center) { $0 == .online }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - center: Where it is posted.
    ///   - fileID: The calling file, for those who look for leaks.
    ///   - line: The calling line.
    ///   - isReason: Whether a message is a reason; each is, unless stated.
    /// - Returns: A token that ends this earlier, by `cancel()`.
    @discardableResult
    public func refresh<M: Message>(
        on type: M.Type,
        of center: MessageCenter,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        where isReason: @escaping @Sendable (M) -> Bool = { _ in true }
    ) -> ObservationToken {
        center.observe(type, owner: self, where: isReason, fileID: fileID, line: line) {
            resource,
            _ in
            resource.refreshIfObserved()
        }
    }

    private func refreshIfObserved() {
        publisher.home.channel.sweep()
        if core.withLock({ $0.isObserved }) { refreshIfNeeded() }
    }

    func observersCame() {
        core.withLock { $0.isObserved = true }
        farewell.clear()
        setInterval()
        // Owners can die without a word.
        if options.keepsDataFor != nil { setFarewell() }
    }

    func observersLeft() {
        core.withLock { $0.isObserved = false }
        interval.clear()
        disown()
        farewell.clear()
        if options.keepsDataFor != nil { setFarewell() }
    }

    private func setInterval() {
        guard let every = options.refreshInterval else { return }
        interval.set(to: timeline.now + every, on: timeline) { [weak self] in
            guard let self else { return }
            publisher.home.channel.sweep()
            guard core.withLock({ $0.isObserved }) else { return }
            getData()
            setInterval()
        }
    }

    private func setFarewell() {
        guard let delay = options.keepsDataFor else { return }
        farewell.set(to: timeline.now + delay, on: timeline) { [weak self] in
            guard let self else { return }
            // Who is found dead now has left now, and the time begins again.
            let wasObserved = core.withLock { $0.isObserved }
            publisher.home.channel.sweep()
            if wasObserved || !forget() { setFarewell() }
        }
    }

    /// Drops the data unless somebody uses it; a stored copy stays.
    private func forget() -> Bool {
        var isForgotten = false
        publisher.change { memory in
            isForgotten = core.withLock { core in
                guard !core.isObserved, core.machine.load == nil, core.writes == nil else {
                    return false
                }
                core.hasReadStore = false
                return true
            }
            return isForgotten ? memory.reset() : nil
        }
        return isForgotten
    }
}
