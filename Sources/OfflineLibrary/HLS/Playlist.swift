// SPDX-License-Identifier: Apache-2.0

/// A playlist of either kind.
package enum Playlist: Hashable, Sendable {
    /// A list of renditions, each a media playlist of its own.
    case master(MasterPlaylist)
    /// A list of segments.
    case media(MediaPlaylist)
}
