// SPDX-License-Identifier: Apache-2.0

/// Reasons for which sending is more than calling handlers on the poster's thread.
///
/// One word: watchers come and go while others post, and whoever asks whether they are the only
/// reason must find both counts of one moment. A change is a value of the same type.
struct Detours: Hashable, Sendable {
    private(set) var word = 0

    private static let watcher = 1 << 32

    init(word: Int) {
        self.word = word
    }

    static let none = Detours(word: 0)

    /// Reasons of any kind but watchers.
    static func others(_ count: Int) -> Detours { Detours(word: count) }

    static func watchers(_ count: Int) -> Detours { Detours(word: count * watcher) }

    /// Whether somebody watches and there is no other reason.
    var areOnlyWatchers: Bool { word != 0 && word & (Self.watcher - 1) == 0 }

    static func += (sum: inout Detours, change: Detours) { sum.word += change.word }
}
