// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// Shows one bubble in place of a column of bubbles for the notifications of a thread.
///
/// More than three bubbles within a minute become a summary. Later notifications update the summary
/// in place and without a sound. The center lists each notification as before. A response to the
/// summary counts as a response to the newest notification in the summary.
final class SummarizingBackend: NotificationBackend {
    /// Returns the content of a summary.
    typealias Summary = @Sendable ([UserNotification]) -> UserNotificationContent

    private struct State {
        var bubbles = ThreadBubbles()
        /// The newest notification in the shown summary, and the result of the call of `show`.
        var carrier: NotificationDelivery?
        var result = NotificationBackendResult.accepted()
        var events: (@Sendable (NotificationBackendEvent) -> Void)?
        /// The last operation of the thread, for which the next operation waits.
        var last: Task<Void, Never>?
    }

    private let base: any NotificationBackend
    private let thread: String
    private let summarize: Summary
    private let state = Lock(State())

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - base: Shows the notifications and the summary.
    ///   - thread: The thread to summarize.
    ///   - summarize: Returns the summary of notifications, the oldest first.
    init(
        _ base: any NotificationBackend,
        thread: String,
        summarize: @escaping Summary
    ) {
        self.base = base
        self.thread = thread
        self.summarize = summarize
    }

    var features: UserNotificationFeatures { base.features }

    func availability() async -> NotificationAvailability { await base.availability() }

    func introduce(_ application: UserNotificationCenter.Application) {
        base.introduce(application)
    }

    func start(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        state.withLock { $0.events = events }
        base.start { [weak self] in self?.handle($0) }
    }

    func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        await base.restore(shown)
    }

    func setBadge(_ count: Int) async { await base.setBadge(count) }

    func setProgramStart(_ date: Date?) async { await base.setProgramStart(date) }

    func doNotDisturb() async -> Bool? { await base.doNotDisturb() }

    func openSettings() async -> String? { await base.openSettings() }

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        guard notification.content.thread == thread, notification.presentation.contains(.banner)
        else { return await base.show(notification) }
        // Add the bubble now, so that waiting bubbles count as well.
        state.withLock { $0.bubbles.add(notification) }
        return await inTurn { [self] in
            guard state.withLock({ $0.bubbles.isInSummary(notification.id) }) else {
                return await showAlone(notification)
            }
            await updateSummary()
            return state.withLock { $0.carrier == notification.id ? $0.result : $0.result.shared }
        }
    }

    func close(_ identifier: String) async {
        let isMember = state.withLock { $0.bubbles.remove(identifier) }
        guard isMember else { return await base.close(identifier) }
        await inTurn { [self] in
            // The notification may still have a separate bubble.
            await base.close(identifier)
            await updateSummary()
        }
    }

    private func showAlone(_ notification: UserNotification) async -> NotificationBackendResult {
        let result = await base.show(notification)
        if case .accepted = result { return result }
        // A notification without a bubble does not count for a summary.
        state.withLock { _ = $0.bubbles.remove(notification.identifier) }
        return result
    }

    /// Shows a changed summary, and closes an empty one.
    private func updateSummary() async {
        if state.withLock({ $0.bubbles.takeEmptySummary() }) {
            return await base.close(name)
        }
        guard let summary = state.withLock({ $0.bubbles.nextSummary() }),
            let newest = summary.members.last
        else { return }
        let result = await base.show(notification(of: summary, newest))
        guard case .accepted = result else {
            return state.withLock { state in
                state.bubbles.failed(summary)
                state.carrier = nil
                state.result = result
            }
        }
        let (replaced, earlier, events) = state.withLock { state in
            let earlier = state.carrier == newest.id ? nil : state.carrier
            state.carrier = newest.id
            state.result = result
            return (state.bubbles.takeUnclosed(), earlier, state.events)
        }
        for delivery in replaced { await base.close(delivery.identifier) }
        // Only the newest notification keeps a bubble that a later run can find.
        for delivery in replaced + [earlier].compactMap(\.self) {
            events?(.closed(delivery, .closedByProgram))
        }
    }

    /// The identifier of the summary, which no item uses.
    private var name: String { "summary-\(thread)" }

    private func notification(
        of summary: ThreadBubbles.Summary,
        _ newest: UserNotification
    ) -> UserNotification {
        let content = summarize(summary.members)
        var presentation = newest.presentation
        if summary.previous != nil { presentation.remove(.sound) }
        return UserNotification(
            id: NotificationDelivery(identifier: name, number: summary.number),
            activationID: newest.id,
            content: content,
            actions: content.actions ?? [],
            date: newest.date,
            presentation: presentation
        )
    }

    /// Runs an operation after the earlier ones of the thread, and returns the result.
    private func inTurn<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        await enqueue(operation).value
    }

    /// Starts an operation that waits for the earlier ones of the thread.
    @discardableResult
    private func enqueue<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        state.withLock { state in
            let previous = state.last
            let task = Task {
                await previous?.value
                return await operation()
            }
            state.last = Task { _ = await task.value }
            return task
        }
    }
}

extension SummarizingBackend {
    /// Passes an event on, and turns an event about the summary into events about the
    /// notifications.
    private func handle(_ event: NotificationBackendEvent) {
        switch event {
        case .responded(let delivery, let action, let token):
            guard delivery.identifier == name else { return forwardEnd(of: delivery, event) }
            guard let newest = endSummary(delivery.number).last else { return }
            forward(.responded(newest.id, action, activationToken: token))
            // The center closes only the newest notification, not the summary.
            enqueue { [self] in await closeEndedSummary() }
        case .activated(var activation):
            let ended = state.withLock { $0.bubbles.endSummary(ofNewest: activation.delivery) }
            guard let newest = ended.last else { return forward(event) }
            activation.delivery = newest.id
            forward(.activated(activation))
            enqueue { [self] in await closeEndedSummary() }
        case .closed(let delivery, let reason):
            guard delivery.identifier == name else { return forwardEnd(of: delivery, event) }
            // The summary does not name all notifications, so dismissing the summary removes none.
            let reason = reason == .dismissed ? .unknown : reason
            for member in endSummary(delivery.number) { forward(.closed(member.id, reason)) }
        case .availabilityChanged: forward(event)
        }
    }

    private func forwardEnd(of delivery: NotificationDelivery, _ event: NotificationBackendEvent) {
        state.withLock { $0.bubbles.ended(delivery) }
        forward(event)
    }

    private func forward(_ event: NotificationBackendEvent) {
        state.withLock(\.events)?(event)
    }

    private func endSummary(_ number: Int) -> [UserNotification] {
        state.withLock { $0.bubbles.endSummary(number) }
    }

    /// Closes the summary after a response, unless a new one is visible.
    private func closeEndedSummary() async {
        guard state.withLock({ $0.bubbles.shownNumber == nil }) else { return }
        await base.close(name)
    }
}

extension NotificationBackendResult {
    /// The result for a notification that shares the bubble of another notification.
    fileprivate var shared: NotificationBackendResult {
        guard case .accepted(let degraded, _) = self else { return self }
        return .accepted(degraded: degraded)
    }
}
