// SPDX-License-Identifier: Apache-2.0

/// The reasons why a post through a channel does more than call the channel's handlers.
///
/// Both counts share one word, because reasons are added and removed during posts and a reader
/// needs both counts of one moment. A change is a value of the same type.
struct SlowPathReasons: Hashable, Sendable {
    private(set) var word = 0

    private static let inlineUnit = 1 << 32

    init(word: Int) {
        self.word = word
    }

    static let none = SlowPathReasons(word: 0)

    /// Reasons for a ``Delivery``: queues, conversions and interceptors.
    static func full(_ count: Int) -> SlowPathReasons { SlowPathReasons(word: count) }

    /// Reasons that ``MessageCenter/deliverInline(_:)`` handles on the poster's thread: watchers,
    /// unhandled hooks, observers of all messages and of a subject.
    static func inline(_ count: Int) -> SlowPathReasons {
        SlowPathReasons(word: count * inlineUnit)
    }

    /// Whether no reason needs a ``Delivery``.
    var allowInline: Bool { word & (Self.inlineUnit - 1) == 0 }

    static func += (sum: inout SlowPathReasons, change: SlowPathReasons) { sum.word += change.word }

    static prefix func - (reasons: SlowPathReasons) -> SlowPathReasons {
        SlowPathReasons(word: -reasons.word)
    }
}
