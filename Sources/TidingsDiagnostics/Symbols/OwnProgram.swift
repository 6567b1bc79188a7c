// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The executable of this process, which may have been replaced by a newer one since the start.
///
/// The system keeps the old file for the process, but not under its original path.
enum OwnProgram {
    /// Refers to the running file, whatever its path now contains.
    static let file = "/proc/self/exe"
    /// The suffix that the system adds to the path of a deleted file.
    private static let removed = " (deleted)"

    /// Returns the original path of a loaded file, even after its deletion.
    static func pathBeforeRemoval(_ path: String) -> String {
        path.hasSuffix(removed) ? String(path.dropLast(removed.count)) : path
    }

    /// Returns the build ID of a file that is loaded into this process, by its path as listed by
    /// the system.
    ///
    /// A deleted library has none, because the file that is now at its path is another build.
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
