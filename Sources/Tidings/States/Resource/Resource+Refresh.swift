// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Resource {
    /// Loads stale data again whenever a message says that this may help, while anybody observes.
    ///
    /// For a connection that came back, or a program that returned to the front. It ends with the
    /// resource.
    ///
    /// ```swift
    /// lessons.refresh(on: center.messages(of: ConnectivityChanged.self).where { $0 == .online })
    /// ```
    ///
    /// - Parameters:
    ///   - reasons: The messages or states that are a reason.
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    /// - Returns: A token that ends this earlier, by `cancel()`.
    @discardableResult
    public func refresh<Element: Sendable>(
        on reasons: Selection<Element>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationToken {
        reasons.observe(owner: self, fileID: fileID, line: line) { resource, _ in
            resource.refreshIfObserved()
        }
    }

    private func refreshIfObserved() {
        publisher.delivery.channel.sweep()
        if isObserved { refreshIfNeeded() }
    }

    func observersCame() {
        entry?.observersCame(to: self)
        releaseTimer.clear()
        setInterval()
        // Owners can die without a word.
        lookForTheDead()
    }

    func observersLeft() {
        interval.clear()
        disown()
        releaseTimer.clear()
        scheduleRelease()
        entry?.observersLeft()
    }

    /// Drops the data when it was kept long enough, unless an observer comes.
    func scheduleRelease() {
        if let delay = options.keepsDataFor { setFarewell(after: delay) }
    }

    /// Whether it has neither observers nor a load nor writes that wait.
    var isIdle: Bool {
        !isObserved && core.withLock { $0.machine.load == nil && $0.writes == nil }
    }

    /// Whether anybody observes, the dead included who were not found yet.
    ///
    /// Under the lock of the publisher nobody can come.
    var isObserved: Bool { !publisher.delivery.channel.isEmpty }

    private func setInterval() {
        guard let every = options.refreshInterval else { return }
        interval.set(to: timeline.now + every, on: timeline) { [weak self] in
            guard let self else { return }
            publisher.delivery.channel.sweep()
            guard isObserved else { return }
            beginLoad()
            setInterval()
        }
    }

    /// Sets the farewell again, not so often that a short delay makes it busy.
    private func lookForTheDead() {
        if let delay = options.keepsDataFor { setFarewell(after: max(delay, .seconds(1))) }
    }

    private func setFarewell(after delay: Duration) {
        releaseTimer.set(to: timeline.now + delay, on: timeline) { [weak self] in
            guard let self else { return }
            // Who is found dead now has left now, and the time begins again.
            let wasObserved = isObserved
            publisher.delivery.channel.sweep()
            if !wasObserved, let rest = remainderOfUse(), rest > .zero {
                return setFarewell(after: rest)
            }
            if wasObserved || !forget() { return lookForTheDead() }
            entry?.release()
        }
    }

    /// The part of `keepsDataFor` after the last use of its entry that is left.
    private func remainderOfUse() -> Duration? {
        options.keepsDataFor.flatMap { entry?.remainder(of: $0, at: timeline.now) }
    }

    /// Drops the data unless somebody uses it; a stored copy stays.
    private func forget() -> Bool {
        var isForgotten = false
        publisher.change { memory in
            isForgotten = core.withLock { core in
                guard !isObserved, core.machine.load == nil, core.writes == nil else {
                    return false
                }
                core.hasReadStore = false
                return true
            }
            return isForgotten ? memory.forget() : nil
        }
        return isForgotten
    }
}
