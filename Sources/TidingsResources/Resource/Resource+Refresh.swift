// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock

extension Resource {
    /// Loads stale data again on each given message, while the resource has observers.
    ///
    /// Use this method to reload when a connection returns, or when a program comes to the
    /// foreground. The reloading ends with the resource.
    ///
    /// ```swift
    /// lessons.refresh(on: center.messages(of: ConnectivityChanged.self).where { $0 == .online })
    /// ```
    ///
    /// - Parameters:
    ///   - reasons: The messages or states that trigger a load.
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    /// - Returns: A token that ends the reloading earlier, by `cancel()`.
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
        publisher.sweep()
        if isObserved { refreshIfNeeded() }
    }

    func observersCame() {
        entry?.observersCame(to: self)
        releaseTimer.clear()
        setInterval()
        // Owners may be deallocated without a notification.
        lookForTheDead()
    }

    func observersLeft() {
        interval.clear()
        disown()
        releaseTimer.clear()
        scheduleRelease()
        entry?.observersLeft()
    }

    /// Drops the data after `keepsDataFor`, unless an observer comes.
    func scheduleRelease() {
        if let delay = options.keepsDataFor { setFarewell(after: delay) }
    }

    /// Whether the resource has no observers, no load and no pending writes.
    var isIdle: Bool {
        !isObserved && core.withLock { $0.machine.load == nil && $0.writes == nil }
    }

    /// Whether the resource has observers, including expired observers that were not swept yet.
    ///
    /// Under the lock of the publisher, no observer can be added.
    var isObserved: Bool { publisher.isObserved }

    private func setInterval() {
        guard let every = options.refreshInterval else { return }
        interval.set(to: timeline.now + every, on: timeline) { [weak self] in
            guard let self else { return }
            publisher.sweep()
            guard isObserved else { return }
            beginLoad()
            setInterval()
        }
    }

    /// Sets the release timer again, at most once a second even if the delay is shorter.
    private func lookForTheDead() {
        if let delay = options.keepsDataFor { setFarewell(after: max(delay, .seconds(1))) }
    }

    private func setFarewell(after delay: Duration) {
        releaseTimer.set(to: timeline.now + delay, on: timeline) { [weak self] in
            guard let self else { return }
            // An expired observer that this sweep finds counts as leaving now, and the time starts
            // again.
            let wasObserved = isObserved
            publisher.sweep()
            if !wasObserved, let rest = remainderOfUse(), rest > .zero {
                return setFarewell(after: rest)
            }
            if wasObserved || !forget() { return lookForTheDead() }
            // Another thread may have begun to use the resource.
            if entry?.release() == false { lookForTheDead() }
        }
    }

    /// Returns how much of `keepsDataFor` remains since the last use of the entry.
    private func remainderOfUse() -> Duration? {
        options.keepsDataFor.flatMap { entry?.remainder(of: $0, at: timeline.now) }
    }

    /// Drops the data unless the resource is in use.
    ///
    /// A stored copy stays.
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
