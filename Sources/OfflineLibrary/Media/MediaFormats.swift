// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What ffmpeg and ffprobe may open.
enum MediaFormats {
    /// The readers of plain media files: none of them follows a name that stands in a file.
    ///
    /// Playlists, lists of files, pictures in numbered files and scripts are left out. The list of
    /// protocols alone does not keep a playlist from pulling in other files of the disk.
    static let whitelist = [
        "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "mpegts", "matroska", "webm", "ogg", "mp3", "aac",
        "flac", "wav", "avi", "flv",
    ].joined(separator: ",")

    /// The options before `-i` that let the tool read one file of the disk and nothing else.
    static let readingOneFile = [
        "-protocol_whitelist", "file", "-format_whitelist", whitelist,
    ]

    /// The name of a file as an argument that can be neither an option nor another protocol.
    static func argument(_ path: String) throws(MediaError) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw MediaError(.cannotRead, "The file's path must be absolute.")
        }
        return "file:\(path)"
    }
}
