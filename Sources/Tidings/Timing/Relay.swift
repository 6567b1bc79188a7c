// SPDX-License-Identifier: Apache-2.0

/// Calls one observation outside the posts of the center or publisher, in the observation's
/// delivery context.
final class Relay: Sendable {
    /// A center with one registration, in the channel whose observers receive an element in place
    /// of the message.
    private let center = MessageCenter()
    /// Passes the handler's errors to the center that reports errors.
    private let errors: ObservationToken

    init(reportingTo reporter: MessageCenter) {
        errors = center.addErrorHook { [weak reporter] in reporter?.report($0) }
    }

    /// Makes the registration.
    ///
    /// - Parameters:
    ///   - options: The options for the calls.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: The location in the user's code.
    ///   - didEnd: Called when the registration ends by itself or with the center.
    ///   - make: Makes the registration.
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
    ///   - element: The element for the registration.
    ///   - home: The center or publisher whose turn includes the call. Posts that the handler makes
    ///     there wait until the handler has returned.
    func deliver<Element: Sendable>(_ element: Element, inTurnOf home: AnyObject?) {
        guard let home else { return center.relay(element) }
        DeliveryThread.current.deliver(for: home) { center.relay(element) }
    }

    /// Calls `action` after the registration has ended and has handled all elements.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        center.drainGroup.whenOver(action)
    }

    /// Ends the registration after its last call.
    func finish() {
        center.finish()
    }
}

/// A placeholder message for an element that is not a message.
private struct Relayed: Message {}

extension MessageCenter {
    /// Delivers an element to the registration, which receives it in place of the message.
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
