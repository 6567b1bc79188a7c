// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

extension LibraryDirectory {
    /// Returns the user's standard library.
    ///
    /// The media are in the folder of videos. The data are below `XDG_DATA_HOME` or
    /// `~/.local/share`.
    package static func standard(environment: [String: String]) -> LibraryDirectory {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let data = UserFolders.folder(environment["XDG_DATA_HOME"]) ?? "\(home)/.local/share"
        let settings = UserFolders.folder(environment["XDG_CONFIG_HOME"]) ?? "\(home)/.config"
        let videos =
            UserFolders.videos(in: "\(settings)/user-dirs.dirs", home: home) ?? "\(home)/Videos"
        let directory = LibraryDirectory(media: "\(videos)/Offline", data: "\(data)/offline")
        // The files of an earlier version stay on their disk, which may be the larger one.
        let isElsewhere =
            SystemFile.exists(directory.numberedMedia)
            && UserFolders.device(directory.media) != UserFolders.device(directory.numberedMedia)
        return isElsewhere
            ? LibraryDirectory(media: directory.numberedMedia, data: directory.data) : directory
    }

    /// Returns the library in a folder of the user's choice.
    ///
    /// An earlier version kept the data in that folder and the media below, and both stay there.
    package static func chosen(_ path: String) -> LibraryDirectory {
        let earlier = LibraryDirectory(media: "\(path)/media", data: path)
        return SystemFile.exists(earlier.registry) ? earlier : LibraryDirectory(path: path)
    }
}

/// The user's folders.
private enum UserFolders {
    /// Returns the disk of a path, or of the nearest folder above the path.
    static func device(_ path: String) -> dev_t? {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_dev }
        let parent = (path as NSString).deletingLastPathComponent
        return parent == path ? nil : device(parent)
    }

    static func folder(_ path: String?) -> String? {
        path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the folder of videos that the desktop's settings name, or nil without one.
    static func videos(in settings: String, home: String) -> String? {
        guard let content = SystemFile.read(settings, limit: 1 << 16) else { return nil }
        let text = String(decoding: content, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let pattern = /\s*XDG_VIDEOS_DIR="(?:(\$HOME)\/?)?([^"$\\]*)"\s*/
            guard let match = line.wholeMatch(of: pattern) else { continue }
            let rest = String(match.2)
            if match.1 == nil { return folder(rest) }
            return rest.isEmpty ? home : "\(home)/\(rest)"
        }
        return nil
    }
}
