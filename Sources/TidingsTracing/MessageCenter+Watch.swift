// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Watches every post of this center until the token is cancelled or dropped.
    ///
    /// `posting` is called before the first handler of a post, so that a message whose handler ends
    /// the program is recorded. `delivered` is called after the last handler has returned. Both run
    /// on the thread that delivers, without a lock, and the post continues after they have
    /// returned. Posts of messages whose `tracing` is `.hidden` are not shown.
    ///
    /// A post that a watcher makes on this center during a call of the watcher is delivered but not
    /// shown to watchers. The same holds for further posts that the handlers of such a post make on
    /// the post's thread.
    ///
    /// Without a watcher, tracing costs a post one load. Time is measured only while a watcher of
    /// deliveries exists. A watcher that is added or removed during a post may receive a single
    /// record of that post instead of both.
    ///
    /// ```swift
    /// let token = center.watch(
    ///     posting: { posting in print("\(posting.name) from \(posting.location)") },
    ///     delivered: { delivery in print("took \(delivery.duration)") }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    ///   - posting: Called with each post before the first handler runs.
    ///   - delivered: Called with each post after the last handler has returned.
    /// - Returns: The token that ends the watch.
    public func watch(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        posting: @escaping @Sendable (borrowing PostingRecord) -> Void,
        delivered: (@Sendable (DeliveryRecord) -> Void)? = nil
    ) -> ObservationToken {
        let deliverySink: (@Sendable (DeliveryEvent) -> Void)? =
            if let delivered { { @Sendable in delivered(DeliveryRecord($0)) } } else { nil }
        return addWatcher(
            fileID: fileID,
            line: line,
            posting: { posting(PostingRecord($0)) },
            delivered: deliverySink
        )
    }

    /// Watches every delivery of this center until the token is cancelled or dropped.
    ///
    /// The rules of the form with `posting` apply.
    ///
    /// ```swift
    /// let token = center.watch(delivered: { delivery in
    ///     if delivery.outcome == .unhandled { print("no recipient of \(delivery.name)") }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    ///   - delivered: Called with each post after the last handler has returned.
    /// - Returns: The token that ends the watch.
    public func watch(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        delivered: @escaping @Sendable (DeliveryRecord) -> Void
    ) -> ObservationToken {
        addWatcher(
            fileID: fileID,
            line: line,
            posting: nil,
            delivered: { delivered(DeliveryRecord($0)) }
        )
    }

    /// Returns the deliveries of this center, from now on, as a sequence.
    ///
    /// The sequence continues after `finish()`, to show posts without a recipient. To end it,
    /// leave the loop, cancel the sequence, or release the center.
    ///
    /// ```swift
    /// for await delivery in center.trace() { print(delivery) }
    /// ```
    ///
    /// - Parameters:
    ///   - buffering: The records to keep for a slow reader. The default is the newest 1,000.
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    /// - Returns: The sequence, which also shows posts that the reader makes. Finish reading before
    ///   you post.
    public func trace(
        buffering: Buffering = .newest(1_000),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ObservationSequence<DeliveryRecord> {
        ObservationSequence(buffering) { [weak self] push in
            self?.watch(fileID: fileID, line: line, delivered: push)
        }
    }
}
