// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Watches every post of this center until the token is cancelled or dropped.
    ///
    /// `posting` is called before the first handler of a post, so that a message whose handler
    /// ends the program is known; `delivered` after its last handler has returned. Both run on the
    /// thread that delivers, without a lock, and the post goes on when they have returned. Posts
    /// of messages whose `tracing` is `.hidden` are not shown.
    ///
    /// What a watcher posts on this center while it is called is delivered but shown to no
    /// watcher, and neither is what the handlers of such a post go on to post on its thread.
    ///
    /// While nobody watches a post pays one load for this. Time is measured only while somebody
    /// wants to know of deliveries. A watcher that comes or goes during a post may see only one of
    /// its two records.
    ///
    /// ```swift
    /// let token = center.watch(
    ///     posting: { posting in print("\(posting.name) from \(posting.location)") },
    ///     delivered: { delivery in print("took \(delivery.duration)") }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The watching file, for those who look for leaks.
    ///   - line: The watching line.
    ///   - posting: Told of each post before its first handler runs.
    ///   - delivered: Told of each post after its last handler has returned.
    /// - Returns: The token that ends the watch.
    public func watch(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        posting: @escaping @Sendable (borrowing PostingRecord) -> Void,
        delivered: (@Sendable (DeliveryRecord) -> Void)? = nil
    ) -> ObservationToken {
        watch(posting, delivered, SourceLocation(fileID: fileID, line: line))
    }

    /// Watches every delivery of this center until the token is cancelled or dropped.
    ///
    /// The rules are those of the form that is told of postings too.
    ///
    /// ```swift
    /// let token = center.watch(delivered: { delivery in
    ///     if delivery.outcome == .unheard { print("nobody heard \(delivery.name)") }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The watching file, for those who look for leaks.
    ///   - line: The watching line.
    ///   - delivered: Told of each post after its last handler has returned.
    /// - Returns: The token that ends the watch.
    public func watch(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        delivered: @escaping @Sendable (DeliveryRecord) -> Void
    ) -> ObservationToken {
        watch(nil, delivered, SourceLocation(fileID: fileID, line: line))
    }

    /// Returns the deliveries of this center as a sequence that receives from now on.
    ///
    /// It goes on after ``finish()``, to show posts that reach nobody: leave the loop, cancel the
    /// sequence, or drop the center.
    ///
    /// ```swift
    /// for await delivery in center.trace() { print(delivery) }
    /// ```
    ///
    /// - Parameters:
    ///   - buffering: What is kept for a slow reader; the newest 1,000, unless stated.
    ///   - fileID: The watching file, for those who look for leaks.
    ///   - line: The watching line.
    /// - Returns: A sequence. What its reader posts is shown to it: read to the end of what
    ///   interests you before you post.
    public func trace(
        buffering: Buffering = .newest(1_000),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationSequence<DeliveryRecord> {
        ObservationSequence { [weak self] layout in
            guard let self else { return nil }
            let feed = BufferFeed<DeliveryRecord>(buffering, of: layout)
            let token = watch(fileID: fileID, line: line, delivered: { feed.push($0) })
            return ObservedBuffer(feed.buffer, token: token)
        }
    }

    private func watch(
        _ posting: WatchRegistration.PostingSink?,
        _ delivered: WatchRegistration.DeliverySink?,
        _ source: SourceLocation
    ) -> ObservationToken {
        let (wantsPostings, wantsDeliveries) = (posting != nil, delivered != nil)
        let count: @Sendable (MessageCenter, Int) -> Void = { center, change in
            center.tracing.add(
                change,
                wantsPostings: wantsPostings,
                wantsDeliveries: wantsDeliveries
            )
            center.registry.withLock { $0.add(.inline(change)) }
        }
        let didEnd: @Sendable () -> Void = { [weak self] in
            if let self { count(self, -1) }
        }
        let settings = RegistrationSettings(
            home: tracing.watchers,
            source: source,
            didEnd: didEnd
        )
        let registration = WatchRegistration(settings, posting: posting, delivered: delivered)
        tracing.watchers.insert(registration)
        count(self, 1)
        return ObservationToken(registration)
    }
}
