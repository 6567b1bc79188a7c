// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

extension ReportSender {
    /// The duration of the pause after a sink was rate-limited without a stated duration.
    static let unknownPause = Duration.seconds(60)

    /// Sends a delivery, unless the delivery was invalidated since the decision.
    func send(
        _ name: ReportName?,
        _ delivery: ReportDelivery,
        decidedAt version: Int,
        in progress: inout Progress
    ) async {
        var delivery = delivery
        if let report = delivery.report, let beforeSend = options.beforeSend {
            // Redaction also covers values that the closure added.
            delivery.report = beforeSend(report).map { options.writer.report($0) }
            if delivery.report == nil {
                return await updateProgress(&progress) { sender, progress in
                    sender.drop(name, because: .beforeSend, in: &progress)
                }
            }
        }
        // Another process may have revoked the consent since the decision.
        guard store.state.consent == .given else { return }
        guard let (receipt, isInterrupted) = await receipt(for: delivery, version) else { return }
        let sent = delivery
        await updateProgress(&progress) { sender, progress in
            sender.handle(receipt, isInterrupted: isInterrupted, of: name, sent, in: &progress)
        }
    }

    /// Returns the outcome of a delivery and whether the delivery was canceled, or nil if it must
    /// not be sent.
    private func receipt(
        for delivery: ReportDelivery,
        _ version: Int
    ) async -> (ReportReceipt, isInterrupted: Bool)? {
        let sending = state.withLock { state -> Task<ReportReceipt, Never>? in
            guard state.machine.beginSend(decidedAt: version) else { return nil }
            let sending = Task.detached(priority: .utility) { [sink] in
                guard !Task.isCancelled else { return ReportReceipt(.failed("Canceled.")) }
                return await sink.send(delivery)
            }
            state.sending = sending
            return sending
        }
        guard let sending else { return nil }
        let receipt = await sending.value
        let isInterrupted = state.withLock { state in
            state.sending = nil
            return state.machine.endSend()
        }
        return (receipt, isInterrupted)
    }

    /// Runs `body` on the spool's queue.
    private func updateProgress(
        _ progress: inout Progress,
        _ body: @escaping @Sendable (ReportSender, inout Progress) -> Void
    ) async {
        let current = progress
        progress = await spool.onQueue { [self] _ in
            var progress = current
            body(self, &progress)
            return progress
        }
    }

    private func handle(
        _ receipt: ReportReceipt,
        isInterrupted: Bool,
        of name: ReportName?,
        _ delivery: ReportDelivery,
        in progress: inout Progress
    ) {
        let wasSplit = progress.isSplit
        switch receipt.outcome {
        case .accepted:
            if let name { remove(name, &progress) }
            store.update { state in
                state.remove(delivery)
                state.recordDelivery()
            }
        case .refused: handleRefusal(name, delivery, in: &progress)
        case .failed where !isInterrupted:
            if let name { progress.failures[name, default: 0] += 1 }
        case .limited, .failed: break
        }
        // A canceled delivery does not count as a failure, and neither does a delivery that is now
        // sent in two parts.
        let isCanceled = isInterrupted || progress.isSplit != wasSplit
        record(receipt, isCanceled: isCanceled, delivery)
    }

    /// Stores the time of the next attempt and the reason why this delivery failed.
    private func record(_ receipt: ReportReceipt, isCanceled: Bool, _ delivery: ReportDelivery) {
        let now = options.now()
        let outcome = receipt.outcome
        let failure =
            isCanceled ? nil : SendingFailure(outcome, at: now, writer: options.writer)
        guard failure != nil || outcome == .limited || !receipt.pauses.isEmpty else { return }
        let random = options.random()
        let backoff = options.backoff
        store.update { state in
            if let failure { state.lastFailure = failure }
            for (category, duration) in receipt.pauses {
                state.pause(category, for: duration, at: now)
            }
            if outcome == .limited {
                let category: ReportCategory = delivery.report == nil ? .session : .error
                if state.pause(of: category, at: now) <= 0 {
                    state.pause(category, for: Self.unknownPause, at: now)
                }
            }
            if failure?.kind == .failed {
                let failures = state.failures + 1
                state.recordFailure(
                    delay: backoff.delay(afterFailures: failures, random: random),
                    at: now
                )
            }
        }
    }

    private func handleRefusal(
        _ name: ReportName?,
        _ delivery: ReportDelivery,
        in progress: inout Progress
    ) {
        let hasCounts =
            !delivery.sessions.isEmpty || !delivery.losses.isEmpty || !delivery.comments.isEmpty
        if delivery.report != nil, hasCounts {
            // The server may have refused the report or the counts. After sending both separately,
            // the server refuses only the faulty part again.
            progress.isSplit = true
        } else if delivery.report != nil {
            drop(name, because: .refused, in: &progress)
        } else {
            // The losses were not accepted either, but can be sent with another delivery.
            let sessions = ReportDelivery(
                sessions: delivery.sessions,
                comments: delivery.comments
            )
            store.update { state in
                state.remove(sessions)
                let count = sessions.sessions.count
                state.count(ReportLoss(reason: .refused, category: .session, quantity: count))
            }
        }
    }

    private func drop(
        _ name: ReportName?,
        because reason: ReportLoss.Reason,
        in progress: inout Progress
    ) {
        if let name { remove(name, &progress) }
        store.update { $0.count(ReportLoss(reason: reason, category: .error, quantity: 1)) }
    }

    /// Deletes a report.
    ///
    /// A report that cannot be deleted is not sent again by this process.
    private func remove(_ name: ReportName, _ progress: inout Progress) {
        progress.failures[name] = nil
        if (try? spool.folder.remove(name)) == nil { progress.done.insert(name) }
    }
}
