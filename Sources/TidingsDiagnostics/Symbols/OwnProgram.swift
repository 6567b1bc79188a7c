// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The executable of this process, which may have been replaced by a newer file since the start.
///
/// The system keeps the old file for the process, but not under the original path.
enum OwnProgram {
    /// A path that refers to the running file, even if the original path has another file.
    static let file = "/proc/self/exe"
    /// The suffix that the system adds to the path of a deleted file.
    private static let removed = " (deleted)"

    /// Returns the original path of a loaded file, which the system may have marked as deleted.
    static func pathBeforeRemoval(_ path: String) -> String {
        path.hasSuffix(removed) ? String(path.dropLast(removed.count)) : path
    }

    /// Returns the build ID of a file that is loaded into this process, by the path in the system's
    /// list.
    ///
    /// A deleted library has no build ID, because its path may now have a file of another build.
    static func buildID(of path: String) -> String? {
        guard path.hasSuffix(removed) else { return buildID(ofFile: path) }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: file)
        return path == own ? buildID(ofFile: file) : nil
    }

    /// Returns the path of a file with this build: the path of the image, or the running
    /// executable.
    static func file(of image: ImageList.Image) -> String? {
        guard let known = image.buildID else { return nil }
        return [image.path, file].first { buildID(ofFile: $0) == known }
    }

    private static func buildID(ofFile path: String) -> String? {
        BuildID.ofFile(path).map { BuildID.text(of: $0) }
    }
}
