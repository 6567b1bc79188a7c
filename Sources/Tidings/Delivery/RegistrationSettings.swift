// SPDX-License-Identifier: Apache-2.0

/// The settings of one registration, apart from the handler.
struct RegistrationSettings: Sendable {
    var home: RegistrationHome
    var priority = ObservationPriority.normal
    var flags: RegistrationFlags = []
    var source: SourceLocation
    /// A condition on each value, checked before the call.
    ///
    /// The check runs on the main actor if the handler runs there, otherwise on the sender's
    /// thread.
    var filter: (@Sendable (Incoming) -> Bool)?
    var subject: SubjectCondition?
    /// Called once, by the thread that ends the observation.
    var didEnd: (@Sendable () -> Void)?
    /// The calls that wait for the main actor, if the handler runs there.
    var mainBuffer: MainActorBuffer?
    /// The live messages that wait behind a replay.
    var gate: ReplayGate<GatedCall>?

    /// The context of the registration, shared with the home unless a rare setting is present.
    var context: RegistrationContext {
        let isPlain =
            filter == nil && subject == nil && didEnd == nil && mainBuffer == nil && gate == nil
        return isPlain ? home.context : RegistrationContext(self)
    }

    /// Adds a closure to call when the observation ends, after the closures added before.
    mutating func addDidEnd(_ action: @escaping @Sendable () -> Void) {
        guard let first = didEnd else {
            didEnd = action
            return
        }
        didEnd = {
            first()
            action()
        }
    }
}

extension RegistrationSettings {
    /// Creates the settings of an observation whose only options are the place and the buffer.
    init(
        in home: RegistrationHome,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ buffering: Buffering? = nil
    ) {
        self.init(home: home, flags: place, source: source)
        if place.contains(.main) { mainBuffer = MainActorBuffer(buffering ?? .unbounded) }
    }
}

/// The properties of an observation that never change.
struct RegistrationFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// The observation has an owner, alive or expired.
    static let owned = RegistrationFlags(rawValue: 1)
    /// The handler runs on the main actor.
    static let main = RegistrationFlags(rawValue: 2)
    /// The observation ends before its first call.
    static let once = RegistrationFlags(rawValue: 4)
    /// The observation can expire with a subject.
    static let subject = RegistrationFlags(rawValue: 8)
    /// A replay precedes the first live message.
    static let gated = RegistrationFlags(rawValue: 32)
    /// The observation receives another form of the message: any message, or a name and an object.
    static let foreign = RegistrationFlags(rawValue: 64)

    /// The observation keeps only the newest pending value.
    ///
    /// An owner has at most one such observation, apart from mailboxes.
    static let latest = RegistrationFlags(rawValue: 128)

    /// Whether the observation only needs a handler call on the poster's thread, after any replay.
    var isPlain: Bool { isSubset(of: [.owned, .once, .gated, .latest]) }

    /// The reasons why a post to this observation does more than call the handlers of a channel.
    var slowPathReasons: SlowPathReasons {
        if isPlain { return .none }
        return subtracting(.subject).isPlain ? .inline(1) : .full(1)
    }

    /// Whether the observation can expire, without being cancelled.
    var canExpire: Bool { !isDisjoint(with: [.owned, .subject]) }
}
