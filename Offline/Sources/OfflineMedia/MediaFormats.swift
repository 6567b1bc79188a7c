// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The formats and files that ffmpeg and ffprobe may open.
enum MediaFormats {
    /// The demuxers of plain media files.
    ///
    /// None of these demuxers opens files named inside a file.
    ///
    /// The list excludes playlists, lists of files, image sequences and scripts. The protocol list
    /// alone does not prevent a playlist from including other files of the disk.
    static let whitelist = [
        "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "mpegts", "matroska", "webm", "ogg", "mp3", "aac",
        "flac", "wav", "avi", "flv",
    ].joined(separator: ",")

    /// The options before `-i` that restrict the tool to the one file that the arguments name.
    static let readingOneFile = [
        "-protocol_whitelist", "file", "-format_whitelist", whitelist,
    ]

    /// Returns a path as an argument that the tool cannot mistake for an option or another
    /// protocol.
    ///
    /// The method throws `.cannotRead` if the path is not absolute.
    static func argument(_ path: String) throws(MediaError) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw MediaError(.cannotRead, "The file's path must be absolute.")
        }
        return "file:\(path)"
    }
}
