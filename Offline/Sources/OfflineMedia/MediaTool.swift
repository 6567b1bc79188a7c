// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// An installed program that processes media.
package struct MediaTool: Hashable, Sendable {
    /// The program that joins segments and extracts pictures.
    package static let ffmpeg = MediaTool(name: "ffmpeg")
    /// The program that reads the properties of a media file.
    package static let ffprobe = MediaTool(name: "ffprobe")
    /// The program that finds the media of many sites.
    ///
    /// Everything else works without this program.
    package static let siteResolver = MediaTool(name: "yt-dlp")

    /// The program's name.
    package let name: String

    /// Creates a tool with the name of its program.
    package init(name: String) {
        self.name = name
    }

    /// Searches for the program.
    ///
    /// - Parameter searchPath: Folders separated by colons, `PATH` by default. The search ignores
    ///   relative folders.
    /// - Returns: The program's absolute path.
    /// - Throws: `.toolMissing`, whose message names the package to install.
    package func path(in searchPath: String? = nil) throws(MediaError) -> String {
        let folders = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw MediaError(
            .toolMissing,
            "The program \(name) is missing. Install the package ffmpeg (apt-get install ffmpeg)."
        )
    }
}
