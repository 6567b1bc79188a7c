// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// One message while it passes the interceptors of a center.
final class Interception: Sendable {
    /// The state of the message.
    enum Outcome: Sendable {
        case passing(any Message)
        case stopped
        case dropped
    }

    /// The type under which the message was posted.
    let type: ObjectIdentifier
    private let state: Lock<Outcome>

    init<M: Message>(_ message: M) {
        type = ObjectIdentifier(M.self)
        state = Lock(.passing(message))
    }

    var outcome: Outcome { state.withLock { $0 } }

    /// The message after the interceptors so far, or nil after an interceptor stopped or dropped
    /// the message.
    var message: (any Message)? {
        if case .passing(let message) = outcome { message } else { nil }
    }

    /// Applies the decision of an interceptor.
    func follow<Element>(_ decision: Decision<Element>) {
        switch decision {
        case .deliver: break
        case .replace(let other): if let other = other as? any Message { set(.passing(other)) }
        case .stop: set(.stopped)
        case .drop: set(.dropped)
        }
    }

    private func set(_ outcome: Outcome) {
        let replaced = state.withLock { state in
            defer { state = outcome }
            return state
        }
        // Released here, outside the lock.
        withExtendedLifetime(replaced) {}
    }
}

extension MessageCenter {
    /// Passes a message to the interceptors, which may change it.
    ///
    /// The call runs on the poster's thread, before the message is addressed and outside the turn
    /// of the post.
    ///
    /// - Returns: The number of recipients if the message goes no further, or nil to deliver the
    ///   message.
    func intercept<M: Message>(_ delivery: inout Delivery<M>) -> Int? {
        guard !interceptors.isEmpty else { return nil }
        let interception = Interception(delivery.message)
        var hasExpired = false
        DeliveryThread.current.reading(interceptors) {
            interceptors.snapshot().visit { registration in
                guard interception.message != nil, registration.isFor(delivery.about)
                else { return }
                let outcome = Incoming.with(interception) { try? registration.call($0) }
                if case .expired = outcome { hasExpired = true }
            }
        }
        if hasExpired { interceptors.sweep() }
        switch interception.outcome {
        case .passing(let message):
            require(
                message is M,
                "An interceptor replaced a \(M.self) by a \(type(of: message)); return its type."
            )
            if let message = message as? M { delivery.message = message }
            return nil
        case .stopped:
            traceUndelivered(delivery, .intercepted)
            return 1
        case .dropped:
            traceUndelivered(delivery, .intercepted)
            return 0
        }
    }
}

extension Selection {
    /// Registers an interceptor.
    ///
    /// While the interceptor is registered, posts that may reach the interceptor take the slow
    /// path.
    func addInterceptor(
        at source: SourceLocation,
        _ decide: @escaping @Sendable (Element) -> Decision<Element>
    ) -> ObservationToken {
        require(
            options.pace == nil,
            "An interceptor sees every message. Remove the pace of the selection."
        )
        guard let center = origin as? MessageCenter else {
            preconditionFailure("Only messages are intercepted.")
        }
        let kind = kind
        return center.addInterceptor(of: kind, interceptorOptions, at: source) { interception in
            guard let message: Element = kind.element(of: interception) else { return }
            interception.follow(decide(message))
        }
    }

    /// The options for a registration that receives interceptions.
    private var interceptorOptions: ObservationOptions<Interception> {
        var options = ObservationOptions<Interception>()
        options.priority = self.options.priority
        options.isOnce = self.options.isOnce
        options.subject = self.options.subject
        let (filter, kind) = (self.options.makeFilter(), kind)
        options.filter = { interception in
            guard let message: Element = kind.element(of: interception) else { return false }
            return filter?(message) ?? true
        }
        return options
    }
}

extension SelectionKind {
    fileprivate func contains(_ interception: Interception) -> Bool {
        switch self {
        case .type(let type): interception.type == ObjectIdentifier(type)
        case .name(let name): (interception.message as? UntypedMessage)?.name == name
        case .all, .conforming: true
        case .states: false
        }
    }

    /// Returns the message as an element of the selection, or nil for an unselected message.
    fileprivate func element<Element: Sendable>(of interception: Interception) -> Element? {
        guard let message = interception.message, contains(interception) else { return nil }
        guard case .conforming(let conformance) = self else { return message as? Element }
        return (conformance as? Conformance<Element>)?.convert(message)
    }
}

extension MessageCenter {
    fileprivate func addInterceptor(
        of kind: SelectionKind,
        _ options: ObservationOptions<Interception>,
        at source: SourceLocation,
        _ intercept: @escaping @Sendable (Interception) -> Void
    ) -> ObservationToken {
        let didEnd: @Sendable () -> Void = { [weak self] in
            self?.add(.full(-1), to: kind)
        }
        var settings = options.settings(in: interceptors, on: [], at: source)
        settings.addDidEnd(didEnd)
        let registration = ClosureRegistration<Interception>(settings, intercept)
        // The reason is added before the insertion, so that an interceptor that ends immediately
        // removes its own reason and not another interceptor's reason.
        add(.full(1), to: kind)
        interceptors.insert(registration)
        interceptors.sweep(atMost: SubscriberList.sweepLimit)
        return ObservationToken(registration)
    }

    private func add(_ change: SlowPathReasons, to kind: SelectionKind) {
        switch kind {
        case .type(let type): channel(of: type, on: .current).use { $0.add(change) }
        case .name: untyped.add(change)
        case .all, .conforming, .states: registry.withLock { $0.add(change) }
        }
    }
}
