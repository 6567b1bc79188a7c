// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The files that are loaded into this process, as listed by the system.
///
/// The runtime can also list the files, but reads the memory of mapped files and ends the process
/// if another thread unmaps a file during the reading. This type reads only files.
struct LoadedImages {
    private(set) var images: [ImageList.Image] = []
    private var last: (path: String, start: UInt64)?

    static func ofThisProcess() -> ImageList {
        let loaded = LoadedImages(SystemFile.list("/proc/self/maps")) { OwnProgram.buildID(of: $0) }
        return ImageList(
            architecture: RawCapture.Architecture.own?.name ?? "",
            images: loaded.images
        )
    }

    /// Parses the system's list.
    ///
    /// Calls `buildID` once per image, with the path as listed.
    init(_ maps: String, buildID: (String) -> String?) {
        for line in maps.split(separator: "\n") {
            guard let mapping = Mapping(line) else { continue }
            append(mapping)
        }
        images = images.map { image in
            ImageList.Image(
                path: OwnProgram.pathBeforeRemoval(image.path),
                start: image.start,
                end: image.end,
                buildID: buildID(image.path)
            )
        }
    }

    private mutating func append(_ mapping: Mapping) {
        // A file that is mapped again is a new image.
        if mapping.offset == 0 || last?.path != mapping.path {
            last = (mapping.path, mapping.start)
        }
        guard mapping.isExecutable, let last, mapping.start >= last.start else { return }
        let known = images.lastIndex { $0.start == last.start }
        let image = ImageList.Image(
            path: mapping.path,
            start: last.start,
            end: mapping.end,
            buildID: nil
        )
        if let known { images[known] = image } else { images.append(image) }
    }

    /// A mapped part of a file.
    private struct Mapping {
        let start: UInt64
        let end: UInt64
        let offset: UInt64
        let isExecutable: Bool
        let path: String

        /// Parses addresses, permissions, offset, device, inode and path, or returns nil for memory
        /// without a file.
        init?(_ line: Substring) {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count == 6 else { return nil }
            let addresses = fields[0].split(separator: "-")
            let path = fields[5].drop { $0 == " " }
            guard addresses.count == 2, let start = UInt64(addresses[0], radix: 16),
                let end = UInt64(addresses[1], radix: 16), start < end,
                let offset = UInt64(fields[2], radix: 16), path.hasPrefix("/")
            else { return nil }
            self.start = start
            self.end = end
            self.offset = offset
            isExecutable = fields[1].contains("x")
            self.path = String(path)
        }
    }
}
