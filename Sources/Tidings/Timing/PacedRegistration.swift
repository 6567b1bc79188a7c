// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The front part of an observation with a pace, registered in the center or publisher.
///
/// The front part receives elements on the poster's thread and passes each element to the pacer,
/// which calls the back part.
///
/// Invariant: All properties are constant.
final class PacedRegistration<Element: Sendable>: ForwardingRegistration, @unchecked Sendable {
    private let pacer: Pacer<Element>
    private let relay: Relay

    /// - Parameters:
    ///   - settings: The settings of this part.
    ///   - target: The back part, which calls the handler.
    ///   - pacer: The pacer that passes elements to the back part.
    ///   - relay: The relay that calls the back part.
    init(
        _ settings: borrowing RegistrationSettings,
        _ target: Registration,
        _ pacer: Pacer<Element>,
        _ relay: Relay
    ) {
        self.pacer = pacer
        self.relay = relay
        super.init(settings, to: target)
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        if target.isExpired { return .expired }
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        input.read { (element: borrowing Element) in pacer.arrive(copy element) }
        return .queued
    }

    override var parts: [Registration] { [self, target] }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        relay.whenDrained(action)
    }

    override func cancel() {
        super.cancel()
        pacer.discard()
        target.cancel()
    }

    /// Ends this part after the target has ended, which may still have a message in the queue.
    func noteEnd() {
        if end() { currentHome?.removeBeforeOnlyCall(self) } else { super.cancel() }
        pacer.discard()
    }

    override func releaseHandler() {
        if target.isExpired { pacer.discard() }
        pacer.close()
    }
}

/// Ends the front part of an observation after the back part has ended by itself.
private final class PacedEnd: Sendable {
    private let action = Lock<(@Sendable () -> Void)?>(nil)

    func set(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    func callAsFunction() {
        action.withLock { $0 }?()
    }
}

extension SelectionOrigin {
    /// Registers an observation, with a pace if the options contain one.
    func register<Element: Sendable>(
        _ kind: SelectionKind,
        with options: ObservationOptions<Element>,
        on place: RegistrationFlags = [],
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        guard let (pace, makeTimeline) = options.pace else {
            return add(kind, with: options, on: place, at: source, make)
        }
        let (relay, end) = (Relay(reportingTo: errorCenter), PacedEnd())
        let options = options.divided()
        let called = relay.add(options.behind, on: place, at: source, didEnd: { end() }, make)
        let pacer = Pacer<Element>(
            pace,
            on: makeTimeline(),
            pass: { [weak self] in relay.deliver($0, inTurnOf: self) },
            end: { relay.finish() }
        )
        return add(kind, with: options.before, on: [], at: source) { settings in
            let front = PacedRegistration(settings, called, pacer, relay)
            end.set { [weak front] in front?.noteEnd() }
            return front
        }
    }
}

extension ObservationOptions {
    /// Returns the options of both parts of an observation with a pace.
    fileprivate func divided() -> (before: ObservationOptions, behind: ObservationOptions) {
        var (before, behind) = (self, ObservationOptions())
        (behind.isOnce, before.isOnce) = (isOnce, false)
        (behind.duplicates, before.duplicates) = (duplicates, nil)
        (behind.buffering, before.buffering) = (buffering, nil)
        (behind.concurrency, before.concurrency) = (concurrency, nil)
        return (before, behind)
    }
}
