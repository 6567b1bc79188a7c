// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Posts messages of one type at most once per interval, the newest of what came.
///
/// The first message is posted at once, on the caller's thread. One that comes before the interval
/// is over waits; a newer one takes its place. When the interval is over, the one that waits is
/// posted on a thread of the runtime's pool, so the last message always arrives. Posts of one
/// throttle never overlap and never change their order: while handlers are still busy with one, the
/// next one waits, however long that takes.
///
/// No lock is held while a message is posted. The center is held weakly: a throttle may be kept by
/// an object that observes the same center, and posts nothing once the center is gone. Dropping
/// the throttle loses nothing: what waits is posted when its time comes. Whoever wants it earlier,
/// or never, calls ``flush()`` or ``discard()`` first.
///
/// ```swift
/// let progress = center.throttled(DownloadProgress.self, every: .milliseconds(100))
/// for await count in chunks {
///     progress.post(DownloadProgress(bytes: count))
/// }
/// ```
public final class Throttle<M: Message>: Sendable {
    private let state: Lock<ThrottleState<Delivery<M>>>
    private let outlet: Outlet
    private let timeline: Timeline
    private let alarm = Alarm()

    init(_ center: MessageCenter, every interval: Duration, on timeline: Timeline) {
        require(interval > .zero, "A throttle needs an interval above zero, not \(interval).")
        state = Lock(ThrottleState(interval: interval))
        outlet = Outlet(center)
        self.timeline = timeline
    }

    /// Posts a message now, or keeps it as the newest until the interval is over.
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything; it is kept until the message is posted.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    public func post(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let source = SourceLocation(fileID: fileID, line: line)
        let post = Delivery(message: message, about: subject, source: source)
        let now = timeline.now
        // What was replaced is released here, not under the lock.
        let (action, _) = state.withLock { $0.arrive(post, at: now) }
        perform(action)
    }

    /// Posts what waits without waiting for the end of the interval; a new interval begins.
    ///
    /// On the calling thread, before it returns; if another thread is just posting the message
    /// before, right after that on a thread of the runtime's pool.
    public func flush() {
        let now = timeline.now
        perform(state.withLock { $0.flush(at: now) })
    }

    /// Forgets what waits.
    ///
    /// After it has returned, no message is posted that was given to this throttle before. A post
    /// that had already begun goes on.
    public func discard() {
        // First: a message that comes once those are forgotten sets the alarm for itself.
        alarm.clear()
        // Released here, not under the lock, and with deinits that may post again.
        _ = state.withLock { $0.discard() }
    }

    private func perform(_ action: ThrottleState<Delivery<M>>.Action) {
        switch action {
        case .none: break
        case .post(let post):
            outlet.post([post]) { [self] in perform(state.withLock { $0.finish() }) }
        case .setAlarm(let deadline):
            // The alarm keeps the throttle, so that what waits survives its drop.
            alarm.set(to: deadline, on: timeline) { [self] in
                let now = timeline.now
                perform(state.withLock { $0.ring(at: now) })
            }
        }
    }
}

extension MessageCenter {
    /// Returns a throttle that posts messages of a type here, at most one per interval.
    ///
    /// ```swift
    /// let progress = center.throttled(DownloadProgress.self, every: .milliseconds(100))
    /// progress.post(DownloadProgress(bytes: 1_024))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - interval: The least time between the beginnings of two posts.
    ///   - clock: Whose time that is.
    /// - Returns: What to post with; each throttle counts for itself.
    /// - Precondition: `interval` is above zero.
    public func throttled<M: Message>(
        _ type: M.Type,
        every interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Throttle<M> {
        Throttle(self, every: interval, on: Timeline(clock))
    }
}
