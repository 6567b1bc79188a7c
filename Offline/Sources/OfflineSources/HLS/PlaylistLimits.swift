// SPDX-License-Identifier: Apache-2.0

/// The largest playlist to accept.
///
/// The limits bound the memory of a download. A day of two-second segments is 43,200 segments,
/// which are about 20 MB with short signed addresses.
package struct PlaylistLimits: Hashable, Sendable {
    /// The size of the playlist in bytes.
    package var bytes = 32 << 20
    /// The size of a line in bytes.
    package var lineBytes = 64 << 10
    /// The number of lines, including empty lines and comments.
    package var lines = 1_000_000
    /// The total size in bytes of the resolved addresses of all segments, and of the
    /// lines whose variables are replaced.
    package var addressBytes = 64 << 20
    /// The number of segments in a media playlist.
    package var segments = 100_000
    /// The number of variables.
    package var variables = 1_000
    /// The number of entries in a master playlist: renditions and other media.
    package var renditions = 1_000

    /// Creates the default limits.
    package init() {}
}
