// SPDX-License-Identifier: Apache-2.0

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
