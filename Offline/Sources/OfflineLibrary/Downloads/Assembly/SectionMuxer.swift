// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// A section of a stream as a file.
struct JoinedSection: Sendable {
    /// The name of the file in the folder of the sections.
    let name: String
    /// The absolute path of the file.
    let path: String
    /// When the section starts, in seconds from the start of the stream.
    let start: Double
    /// The properties of the file.
    let properties: MediaProperties
    /// The times in seconds at which the server's segments hold less than the playlist states.
    let missing: [Range<Double>]
    /// Whether a second track with pictures is left out.
    let leavesOutPictures: Bool
}

/// Joins the segments of each section of a stream, and compares the files with the playlist.
struct SectionMuxer {
    let environment: DownloadEnvironment
    let id: ItemID
    let parts: [PartRecord]

    private var directory: LibraryDirectory { environment.directory }

    /// Joins the sections; one with a change of tracks becomes several.
    func join(_ sections: [StreamSection]) async throws -> [JoinedSection] {
        var waiting = sections[...]
        var joined: [JoinedSection] = []
        var fed: Int64 = 0
        // The index of a lone section is already where it belongs in the finished file.
        var index = sections.count == 1 ? Muxer.IndexPlace.start : .end
        while let section = waiting.popFirst() {
            let name = "\(joined.count).mp4"
            let path = "\(directory.sections(of: id))/\(name)"
            let contents = try await mux(section, into: path, index, after: fed)
            let properties = try await MediaProbe().probe(path)
            let comparison = SectionComparison(
                durations: section.segments.map { parts[$0].part.duration },
                contents: Array(contents.suffix(section.segments.count)),
                joined: properties
            )
            switch try comparison.run() {
            case .tracksChange(let number):
                waiting = section.divided(before: number) + waiting
                index = .end
            case .whole(let missing, let leavesOutPictures):
                fed += section.parts.reduce(0) { $0 + (parts[$1].size ?? 0) }
                let start = joined.last.map { $0.start + ($0.properties.duration ?? 0) } ?? 0
                joined.append(
                    JoinedSection(
                        name: name,
                        path: path,
                        start: start,
                        properties: properties,
                        missing: missing,
                        leavesOutPictures: leavesOutPictures
                    )
                )
            }
        }
        return joined
    }

    private func mux(
        _ section: StreamSection,
        into path: String,
        _ index: Muxer.IndexPlace,
        after fed: Int64
    ) async throws -> [SegmentContents] {
        let paths = section.parts.map { directory.part(parts[$0].fileName, of: id) }
        let total = parts.reduce(0) { $0 + ($1.size ?? 0) }
        return try await Muxer().mux(
            segments: paths,
            kind: try Self.container(paths),
            into: path,
            completeness: section.parts.allSatisfy { parts[$0].isProven } ? .proven : .unproven,
            index: index
        ) { [environment, id] bytes, _ in
            environment.reachCheckpoint(.duringMux)
            environment.progress.update(id) { progress in
                let fraction = Double(fed + bytes) / Double(max(total, 1))
                // A section that is divided is read twice.
                progress.muxedFraction = min(1, max(progress.muxedFraction ?? 0, fraction))
            }
        }
    }

    /// Returns the container of all parts, as detected in the first one.
    private static func container(_ paths: [String]) throws -> Muxer.SegmentContainer {
        guard let first = paths.first, let handle = FileHandle(forReadingAtPath: first),
            let prefix = try handle.read(upToCount: 1_024),
            let container = Muxer.SegmentContainer(
                ContentSniffer.kind(of: Array(prefix), contentType: nil)
            )
        else {
            throw DownloadError(
                .notMedia,
                "The first segment of the stream is in no supported media format."
            )
        }
        return container
    }
}
