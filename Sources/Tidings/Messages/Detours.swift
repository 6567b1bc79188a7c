// SPDX-License-Identifier: Apache-2.0

/// Reasons for which sending is more than calling the handlers of one channel.
///
/// One word: reasons come and go while others post, and whoever asks which kinds there are must
/// find both counts of one moment. A change is a value of the same type.
struct Detours: Hashable, Sendable {
    private(set) var word = 0

    private static let here = 1 << 32

    init(word: Int) {
        self.word = word
    }

    static let none = Detours(word: 0)

    /// Reasons that need a ``Delivery``: a queue, a conversion, or somebody who may change the
    /// message.
    static func others(_ count: Int) -> Detours { Detours(word: count) }

    /// Reasons that ``MessageCenter/deliverHere(_:)`` meets on the poster's thread: watchers,
    /// unhandled hooks, observers of all messages or about a subject.
    static func here(_ count: Int) -> Detours { Detours(word: count * here) }

    /// Whether there is no reason of another kind.
    var areHere: Bool { word & (Self.here - 1) == 0 }

    static func += (sum: inout Detours, change: Detours) { sum.word += change.word }

    static prefix func - (detours: Detours) -> Detours { Detours(word: -detours.word) }
}
