// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An observation that receives one type and calls its handler with another one.
///
/// It stands among the others of its home and decides whether a call goes ahead; the registration
/// behind it, which is made for the other type, only calls.
///
/// Invariant: the conversion is replaced once, by nil, after `Readers` has seen every reader leave
/// that may have found the registration active; it is read only by readers. The rest is constant.
final class ConvertedRegistration<Input: Sendable, Output: Sendable>: Registration,
    @unchecked Sendable
{
    private let called: Registration
    private let home = ConvertedHome()
    private var convert: (@Sendable (Input) -> Output?)?

    /// - Parameters:
    ///   - terms: The terms of the whole observation.
    ///   - convert: Makes what the handler receives; nil for no call.
    ///   - make: Makes the registration that calls.
    init(
        _ settings: RegistrationSettings,
        _ convert: @escaping @Sendable (Input) -> Output?,
        _ make: (RegistrationSettings) -> Registration
    ) {
        var behind = settings
        behind.home = home
        behind.flags.formIntersection([.main, .subject])
        behind.extras = settings.extras?.subject.map { RegistrationExtras(subject: $0) }
        self.convert = convert
        called = make(behind)
        super.init(settings, flags: called.flags.intersection(.owned))
        home.set(self)
    }

    override var isExpired: Bool { called.isExpired || super.isExpired }

    override func isOwned(by object: AnyObject) -> Bool { called.isOwned(by: object) }

    override func call(_ input: Incoming) throws -> CallOutcome {
        try pass(input) { try called.call($0) }
    }

    override func call(_ input: Incoming, _ context: DeliveryContext) throws -> CallOutcome {
        try pass(input) { try called.call($0, context) }
    }

    private func pass(
        _ input: Incoming,
        _ body: (Incoming) throws -> CallOutcome
    ) rethrows -> CallOutcome {
        if called.isExpired { return .expired }
        let output = input.read { (input: borrowing Input) in convert?(copy input) }
        guard let output else { return .skipped }
        if !isPlainlyActive, let refusal = admits(input) { return refusal }
        return try Incoming.with(output, body)
    }

    override var queue: (any ObservationQueue)? { called.queue ?? super.queue }

    override var runningCalls: [MailboxCall] { called.runningCalls }

    override func whenDrained(_ action: @escaping @Sendable () -> Void) {
        called.whenDrained(action)
    }

    override var inputName: MessageName { called.inputName }

    override var place: ObservationKind.Place { called.place }

    override var isBlocked: Bool {
        get { super.isBlocked }
        set {
            super.isBlocked = newValue
            called.isBlocked = newValue
        }
    }

    override func cancel() {
        super.cancel()
        called.cancel()
    }

    override func releaseHandler() {
        convert = nil
        called.releaseClosures()
    }
}

/// The home of the registration that calls: it ends with the one in front.
///
/// Invariant: as of its superclass; the lock guards the rest.
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
