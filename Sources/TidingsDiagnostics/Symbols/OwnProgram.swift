// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file that this process runs, which may have been replaced by a newer one since.
///
/// The system keeps the old file for the process, but under no path that has anything to do with
/// its name.
enum OwnProgram {
    /// Leads to the file, whatever lies at its path now.
    static let file = "/proc/self/exe"
    /// What the system says of a path whose file is not there any more.
    private static let removed = " (deleted)"

    /// The path at which a loaded file was, also when the system says that it is gone.
    static func pathBeforeRemoval(_ path: String) -> String {
        path.hasSuffix(removed) ? String(path.dropLast(removed.count)) : path
    }

    /// The build id of a file that is loaded into this process, by its path as the system tells it.
    ///
    /// What lies now where a removed library was is another build.
    static func buildID(of path: String) -> String? {
        guard path.hasSuffix(removed) else { return buildID(ofFile: path) }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: file)
        return path == own ? buildID(ofFile: file) : nil
    }

    /// Where a file of this build is: at the path of the image, or what this process runs.
    static func file(of image: ImageList.Image) -> String? {
        guard let known = image.buildID else { return nil }
        return [image.path, file].first { buildID(ofFile: $0) == known }
    }

    private static func buildID(ofFile path: String) -> String? {
        BuildID.ofFile(path).map { BuildID.text(of: $0) }
    }
}
