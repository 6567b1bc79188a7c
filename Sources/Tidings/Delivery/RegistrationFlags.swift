// SPDX-License-Identifier: Apache-2.0

/// What is true of an observation for its whole life.
struct RegistrationFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// It has an owner, alive or dead.
    static let owned = RegistrationFlags(rawValue: 1)
    /// Its handler runs on the main actor.
    static let main = RegistrationFlags(rawValue: 2)
    /// It ends before its first call.
    static let once = RegistrationFlags(rawValue: 4)
    /// It can die with a subject.
    static let subject = RegistrationFlags(rawValue: 8)
    /// A replay comes before its first live message.
    static let gated = RegistrationFlags(rawValue: 32)
    /// It takes something else than the message: any message, or a name and an object.
    static let foreign = RegistrationFlags(rawValue: 64)

    /// It is content with the newest of what waits; owned, it is the only one of its owner.
    static let latest = RegistrationFlags(rawValue: 128)

    /// Whether nothing but calling the handler on the poster's thread is needed, once a replay is
    /// over.
    var isPlain: Bool { isSubset(of: [.owned, .once, .gated, .latest]) }

    /// Why a post that concerns it is more than calling the handlers of its channel.
    var slowPathReasons: SlowPathReasons {
        if isPlain { return .none }
        return subtracting(.subject).isPlain ? .inline(1) : .full(1)
    }

    /// Whether it can die without being cancelled.
    var canExpire: Bool { !isDisjoint(with: [.owned, .subject]) }
}
