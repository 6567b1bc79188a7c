// SPDX-License-Identifier: Apache-2.0

/// The settings of one registration, apart from its handler.
struct RegistrationSettings: Sendable {
    var home: RegistrationHome
    var priority = ObservationPriority.normal
    var flags: RegistrationFlags = []
    var source: SourceLocation
    /// A condition on each value, checked before the call: on the main actor if the handler runs
    /// there, otherwise on the sender's thread.
    var filter: (@Sendable (Incoming) -> Bool)?
    var subject: SubjectFilter?
    /// Called once, by the thread that ends the observation.
    var didEnd: (@Sendable () -> Void)?
    /// The calls that wait for the main actor, if the handler runs there.
    var mainBuffer: MainActorBuffer?
    /// The live messages that wait behind a replay.
    var gate: ReplayGate<GatedCall>?

    /// The context of the registration: that of its home, unless it has one of the rare settings.
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
    /// Creates the settings of an observation without options other than its place and its buffer.
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

    /// It has an owner, alive or expired.
    static let owned = RegistrationFlags(rawValue: 1)
    /// Its handler runs on the main actor.
    static let main = RegistrationFlags(rawValue: 2)
    /// It ends before its first call.
    static let once = RegistrationFlags(rawValue: 4)
    /// It can expire with a subject.
    static let subject = RegistrationFlags(rawValue: 8)
    /// A replay precedes its first live message.
    static let gated = RegistrationFlags(rawValue: 32)
    /// It receives something other than the message: any message, or a name and an object.
    static let foreign = RegistrationFlags(rawValue: 64)

    /// It keeps only the newest pending value; if it has an owner, it is the only one of that
    /// owner.
    static let latest = RegistrationFlags(rawValue: 128)

    /// Whether it only needs its handler called on the poster's thread, once a replay is over.
    var isPlain: Bool { isSubset(of: [.owned, .once, .gated, .latest]) }

    /// The reasons why a post that concerns it does more than call the handlers of its channel.
    var slowPathReasons: SlowPathReasons {
        if isPlain { return .none }
        return subtracting(.subject).isPlain ? .inline(1) : .full(1)
    }

    /// Whether it can expire, without being cancelled.
    var canExpire: Bool { !isDisjoint(with: [.owned, .subject]) }
}
