import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A program of the system that media needs.
package struct MediaTool: Hashable, Sendable {
    /// Joins segments and makes pictures.
    package static let ffmpeg = MediaTool(name: "ffmpeg")
    /// Tells what a file holds.
    package static let ffprobe = MediaTool(name: "ffprobe")

    /// The program's name.
    package let name: String

    /// Returns the program's path.
    ///
    /// Throws `.toolMissing`, which names the package to install. `searchPath` is a list of folders
    /// with colons between; those that are not absolute are passed over.
    package func path(in searchPath: String? = nil) throws(MediaError) -> String {
        let folders = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw MediaError(
            .toolMissing,
            "The program \(name) is missing; install the package ffmpeg (apt-get install ffmpeg)."
        )
    }
}
