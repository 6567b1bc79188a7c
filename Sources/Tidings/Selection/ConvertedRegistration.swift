// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An observation that receives one type and calls its handler with another one.
///
/// This outer registration is registered in a home and decides whether to call. The inner
/// registration is made for the other type and only calls.
///
/// Invariant: Only readers read the conversion. The conversion is replaced once, by nil, after
/// `Readers` has waited for every reader that may have found the registration active. The rest is
/// constant.
final class ConvertedRegistration<Input: Sendable, Output: Sendable>: ForwardingRegistration,
    @unchecked Sendable
{
    private let home = ConvertedHome()
    private var convert: (@Sendable (Input) -> Output?)?

    /// - Parameters:
    ///   - settings: The settings of the whole observation.
    ///   - convert: Returns the value for the handler, or nil to skip the call.
    ///   - make: Makes the registration that calls the handler.
    init(
        _ settings: borrowing RegistrationSettings,
        _ convert: @escaping @Sendable (Input) -> Output?,
        _ make: (RegistrationSettings) -> Registration
    ) {
        var targetSettings = RegistrationSettings(home: home, source: settings.source)
        targetSettings.flags = settings.flags.intersection([.main, .subject])
        targetSettings.subject = settings.subject
        self.convert = convert
        super.init(settings, to: make(targetSettings))
        home.set(self)
    }

    override func call(_ input: Incoming) throws -> CallOutcome {
        try pass(input, in: DeliveryContext()) { try target.call($0) }
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try pass(input, in: context) { try target.call($0, context) }
    }

    private func pass(
        _ input: Incoming,
        in context: DeliveryContext,
        _ body: (Incoming) throws -> CallOutcome
    ) rethrows -> CallOutcome {
        if target.isExpired { return .expired }
        let output = input.read { (input: borrowing Input) in convert?(copy input) }
        guard let output else { return .skipped }
        if !isPlainlyActive,
            let refusal = admits(input, isWanted: context.isWanted(by: self))
        {
            return refusal
        }
        return try Incoming.with(output, body)
    }

    override var queue: (any ObservationQueue)? { target.queue ?? super.queue }

    override var runningCalls: [MailboxCall] { target.runningCalls }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        target.whenDrained(action)
    }

    override func cancel() {
        super.cancel()
        target.cancel()
    }

    override func releaseHandler() {
        convert = nil
        target.releaseClosures()
    }
}

/// The home of the inner registration, which ends together with the outer one.
///
/// Invariant: The superclass's invariant holds, and the lock guards the rest.
private final class ConvertedHome: RegistrationHome, @unchecked Sendable {
    private struct State: Sendable {
        weak var front: Registration?
    }

    private let state = Lock(State())

    func set(_ front: Registration) {
        state.withLock { $0.front = front }
    }

    override func remove(_ registration: Registration) {
        state.withLock { $0.front }?.cancel()
    }
}
