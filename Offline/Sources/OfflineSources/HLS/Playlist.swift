// SPDX-License-Identifier: Apache-2.0

/// A master playlist or a media playlist.
package enum Playlist: Hashable, Sendable {
    /// A list of renditions, each with a separate media playlist.
    case master(MasterPlaylist)
    /// A list of segments.
    case media(MediaPlaylist)
}
