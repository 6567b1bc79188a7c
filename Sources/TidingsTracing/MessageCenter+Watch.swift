// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Watches every post of this center until the token is cancelled or dropped.
    ///
    /// `posting` is called before the first handler of a post, so that a message whose handler ends
    /// the program is recorded; `delivered` is called after its last handler has returned. Both run
    /// on the thread that delivers, without a lock, and the post continues after they have
    /// returned. Posts of messages whose `tracing` is `.hidden` are not shown.
    ///
    /// A post that a watcher makes on this center while it is called is delivered but not shown to
    /// watchers. The same holds for further posts that the handlers of such a post make on its
    /// thread.
    ///
    /// Without a watcher, a post costs one load for this. Time is measured only while there is a
    /// watcher of deliveries. A watcher that is added or removed during a post may see only one of
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
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    ///   - posting: Called with each post before its first handler runs.
    ///   - delivered: Called with each post after its last handler has returned.
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
    ///   - delivered: Called with each post after its last handler has returned.
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

    /// Returns the deliveries of this center as a sequence that receives from now on.
    ///
    /// The sequence continues after `finish()`, to show posts without a recipient. To end it,
    /// leave the loop, cancel the sequence, or release the center.
    ///
    /// ```swift
    /// for await delivery in center.trace() { print(delivery) }
    /// ```
    ///
    /// - Parameters:
    ///   - buffering: The records to keep for a slow reader; the newest 1,000 by default.
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    /// - Returns: The sequence. It also shows posts that its reader makes: finish reading before
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
