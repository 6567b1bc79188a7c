// SPDX-License-Identifier: Apache-2.0

/// How long a playlist may be before it is refused unread.
///
/// A day of two-second segments is 43,200 segments; what goes beyond these limits is an attack.
package struct PlaylistLimits: Hashable, Sendable {
    /// The bytes of the whole playlist.
    package var bytes = 4 << 20
    /// The bytes of one line.
    package var lineBytes = 64 << 10
    /// The lines, empty ones and comments too.
    package var lines = 1_000_000
    /// The bytes of all segments' full addresses.
    package var addressBytes = 64 << 20
    /// The segments of a media playlist.
    package var segments = 100_000
    /// The renditions of a master playlist, and its entries of other media.
    package var renditions = 1_000

    package init() {}
}
