// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension Courier {
    /// How long nothing is sent when a sink had too much and did not say for how long.
    static let unknownPause = Duration.seconds(60)

    /// Sends what was decided on, unless that is void meanwhile.
    func send(
        _ name: ReportName?,
        _ delivery: ReportDelivery,
        _ version: Int,
        _ progress: inout Progress
    ) async {
        var delivery = delivery
        if let report = delivery.report, let beforeSend = options.beforeSend {
            // What it has added must not leave the machine either.
            delivery.report = beforeSend(report).map { options.scribe.report($0) }
            if delivery.report == nil {
                return await settle(&progress) { courier, progress in
                    courier.drop(name, .beforeSend, &progress)
                }
            }
        }
        // Another process may have been told that it is not allowed any more.
        guard store.state.consent == .given else { return }
        guard let (receipt, isInterrupted) = await receipt(for: delivery, version) else { return }
        let sent = delivery
        await settle(&progress) { courier, progress in
            courier.take(receipt, isInterrupted, name, sent, &progress)
        }
    }

    /// What became of a delivery, and whether it was called off; nil when it must not be sent.
    private func receipt(
        for delivery: ReportDelivery,
        _ version: Int
    ) async -> (ReportReceipt, isInterrupted: Bool)? {
        let sending = state.withLock { state -> Task<ReportReceipt, Never>? in
            guard state.machine.beginSend(decidedAt: version) else { return nil }
            let sending = Task.detached(priority: .utility) { [sink] in
                guard !Task.isCancelled else { return ReportReceipt(.failed("Called off.")) }
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
    private func settle(
        _ progress: inout Progress,
        _ body: @escaping @Sendable (Courier, inout Progress) -> Void
    ) async {
        let known = progress
        progress = await spool.onQueue { [self] _ in
            var progress = known
            body(self, &progress)
            return progress
        }
    }

    private func take(
        _ receipt: ReportReceipt,
        _ isInterrupted: Bool,
        _ name: ReportName?,
        _ delivery: ReportDelivery,
        _ progress: inout Progress
    ) {
        let wasApart = progress.isApart
        switch receipt.outcome {
        case .accepted:
            if let name { remove(name, &progress) }
            store.update { state in
                state.forget(delivery)
                state.noteArrival()
            }
        case .refused: refuse(name, delivery, &progress)
        case .failed where !isInterrupted:
            if let name { progress.failures[name, default: 0] += 1 }
        case .limited, .failed: break
        }
        // That somebody called it off is no failure, nor is what is tried in two parts now.
        let isCalledOff = isInterrupted || progress.isApart != wasApart
        note(receipt, isCalledOff, delivery)
    }

    /// Stores when to send again, and why this was not sent.
    private func note(_ receipt: ReportReceipt, _ isCalledOff: Bool, _ delivery: ReportDelivery) {
        let now = options.now()
        let outcome = receipt.outcome
        let failure =
            isCalledOff ? nil : SendingFailure(outcome, at: now, scribe: options.scribe)
        guard failure != nil || outcome == .limited || !receipt.pauses.isEmpty else { return }
        let random = options.random()
        let delay = options.delay
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
                state.fail(
                    delay: delay.delay(afterFailures: failures, random: random),
                    at: now
                )
            }
        }
    }

    private func refuse(
        _ name: ReportName?,
        _ delivery: ReportDelivery,
        _ progress: inout Progress
    ) {
        let hasNumbers = !delivery.sessions.isEmpty || !delivery.losses.isEmpty
        if delivery.report != nil, hasNumbers {
            // Nobody knows which of them the server does not take.
            progress.isApart = true
        } else if delivery.report != nil {
            drop(name, .refused, &progress)
        } else {
            // What was lost has not been taken either, but will be with something else.
            let sessions = ReportDelivery(sessions: delivery.sessions)
            store.update { state in
                state.forget(sessions)
                let count = sessions.sessions.count
                state.count(ReportLoss(reason: .refused, category: .session, quantity: count))
            }
        }
    }

    private func drop(
        _ name: ReportName?,
        _ reason: ReportLoss.Reason,
        _ progress: inout Progress
    ) {
        if let name { remove(name, &progress) }
        store.update { $0.count(ReportLoss(reason: reason, category: .error, quantity: 1)) }
    }

    /// What cannot be deleted is not sent again by this process.
    private func remove(_ name: ReportName, _ progress: inout Progress) {
        progress.failures[name] = nil
        if (try? spool.folder.remove(name)) == nil { progress.done.insert(name) }
    }
}
