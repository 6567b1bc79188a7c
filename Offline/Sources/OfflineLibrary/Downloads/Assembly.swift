// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
import TidingsSQLite

/// Joins the parts of an item on disk into one file.
struct Assembly: Sendable {
    let environment: DownloadEnvironment
    let id: ItemID

    private var directory: LibraryDirectory { environment.directory }

    /// Joins the recorded parts and returns the path of the file in the item's work folder.
    func run() async throws -> String {
        let parts = try environment.journal.registry.parts(of: id)
        try environment.journal.change(id, .state(.muxing))
        let paths = parts.map { directory.part($0.fileName, of: id) }
        let container = try Self.container(paths)
        let output = directory.muxedFile(of: id)
        try SystemFile.remove(output)
        let total = parts.reduce(0) { $0 + ($1.size ?? 0) }
        environment.progress.update(id) { progress in
            progress.totalSegments = parts.count
            progress.doneSegments = parts.count
            progress.receivedBytes = max(progress.receivedBytes, total)
            progress.muxedFraction = 0
        }
        let discontinuities = parts.indices.filter { parts[$0].part.isDiscontinuity }
        do {
            try await Muxer().mux(
                segments: paths,
                kind: container,
                into: output,
                discontinuities: Set(discontinuities),
                completeness: parts.allSatisfy(\.isProven) ? .proven : .unproven
            ) { fed, total in
                environment.reachCheckpoint(.duringMux)
                environment.progress.update(id) {
                    $0.muxedFraction = Double(fed) / Double(max(total, 1))
                }
            }
        } catch {
            try discardUnproven(parts, after: error)
            throw error
        }
        return output
    }

    /// Clears the sizes of parts with an unproven length, so that the next run repeats them.
    ///
    /// If the muxer cannot read the parts, one of these may be truncated.
    private func discardUnproven(
        _ parts: [PartRecord],
        after error: MediaError
    ) throws(SQLiteError) {
        guard [.cannotRead, .notMedia, .failed].contains(error.code) else { return }
        try environment.journal.registry.clearSizes(
            of: parts.filter { !$0.isProven }.map(\.id),
            in: id
        )
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
