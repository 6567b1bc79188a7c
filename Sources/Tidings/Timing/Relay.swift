// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Calls one observation outside the posts of its center or publisher, where it belongs.
final class Relay: Sendable {
    /// A center with one registration, among those that receive something else than the message.
    private let center = MessageCenter()
    /// Hands the errors of its handler to the center that reports them.
    private let errors: ObservationToken

    init(reportingTo reporter: MessageCenter) {
        errors = center.addErrorHook { [weak reporter] in reporter?.report($0) }
    }

    /// Makes the registration.
    ///
    /// - Parameters:
    ///   - options: How it is called.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: Where it is made in the user's code.
    ///   - didEnd: Called when it ends by itself or by its center.
    ///   - make: Makes it.
    /// - Returns: The registration.
    func add<Element: Sendable>(
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        didEnd: @escaping @Sendable () -> Void,
        _ make: (RegistrationSettings) -> Registration
    ) -> Registration {
        var settings = options.settings(in: center.wildcards, on: place, at: source)
        settings.addDidEnd(didEnd)
        let registration = make(settings)
        center.wildcards.insert(registration)
        return registration
    }

    /// Calls the registration, or queues the call.
    ///
    /// - Parameters:
    ///   - element: What it receives.
    ///   - home: Whose turn the call is: what its handler posts there waits until it has returned.
    func deliver<Element: Sendable>(_ element: Element, inTurnOf home: AnyObject?) {
        guard let home else { return center.relay(element) }
        DeliveryThread.current.deliver(for: home) { center.relay(element) }
    }

    /// Calls `action` once the registration has ended and has handled everything.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        center.drainGroup.whenOver(action)
    }

    /// Ends the registration, once it was called with everything.
    func finish() {
        center.finish()
    }
}

/// Stands for an element that is no message.
private struct Relayed: Message {}

extension MessageCenter {
    /// Delivers an element to those who receive something else than the message.
    fileprivate func relay<Element: Sendable>(_ element: Element) {
        guard inProgress.begin() else { return }
        let recipients = wildcards.snapshot()
        var delivery = Delivery(message: Relayed(), source: .unknown)
        delivery.note(.current, of: self)
        delivery.forms = [
            TypedForm(input: element, channel: wildcards, recipients: recipients)
        ]
        channel(of: Relayed.self, on: .current).use { channel in
            send(delivery, by: channel, to: recipients, recipients.extent.alive)
        }
    }
}
