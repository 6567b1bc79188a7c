// SPDX-License-Identifier: Apache-2.0

/// The times between two checks of the free space of a full disk.
///
/// A disk may refuse bytes although the disk reports free space, for example because of a quota. In
/// that case each continued download fails again, so the checks become rarer.
struct SpaceChecks: Hashable, Sendable {
    private static let shortest = Duration.seconds(10)
    private static let longest = Duration.seconds(320)

    /// The time until the next check.
    private(set) var interval = shortest
    private var hasContinued = false

    /// Records that downloads continue because the disk reports enough space.
    mutating func resume() {
        hasContinued = true
    }

    /// Records that the disk is full.
    ///
    /// - Parameter hasSpace: Whether the disk reports free space all the same.
    mutating func fail(hasSpace: Bool) {
        if !hasSpace {
            interval = Self.shortest
        } else if hasContinued {
            interval = min(Self.longest, interval * 2)
        }
        hasContinued = false
    }

    /// Records that a download ended, with or without success.
    mutating func succeed() {
        self = SpaceChecks()
    }
}
