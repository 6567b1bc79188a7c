// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsSQLite

/// Fetches every segment of a stream and joins them into one file.
struct StreamDownload: Sendable {
    let environment: DownloadEnvironment
    let route: HTTPClients.Route
    let item: MediaItem

    private var id: ItemID { item.id }
    private var directory: LibraryDirectory { environment.directory }

    /// Brings the stream to one checked file under the item's work folder and returns its path.
    ///
    /// `playlist` is the one at the item's address, when it was fetched just now.
    func run(
        _ playlist: (bytes: [UInt8], head: HTTPResponseHead)?
    ) async throws(DownloadError)
        -> String
    {
        do {
            var segments = try recordedSegments()
            if segments.isEmpty || segments.contains(where: { $0.size == nil }) {
                segments = try await plan(playlist, recorded: segments)
                try await fetch(segments)
            }
            return try await mux()
        } catch {
            throw DownloadError(error)
        }
    }

    /// What the registry knows, less what is not on disk as recorded.
    private func recordedSegments() throws -> [SegmentRecord] {
        var segments = try environment.journal.registry.segments(of: id)
        let lost = segments.indices.filter { index in
            guard let size = segments[index].size else { return false }
            return Disk.size(of: directory.segment(segments[index].number, of: id)) != size
        }
        try environment.journal.registry.forgetSizes(
            ofSegments: lost.map { segments[$0].number },
            of: id
        )
        for index in lost { segments[index].size = nil }
        return segments
    }

    private func plan(
        _ playlist: (bytes: [UInt8], head: HTTPResponseHead)?,
        recorded: [SegmentRecord]
    ) async throws -> [SegmentRecord] {
        try environment.journal.change(id, .kind(.stream), .state(.fetchingPlaylist))
        let media = try await PlaylistFetch(environment: environment, route: route, item: item)
            .mediaPlaylist(playlist)
        let plan = StreamPlan(media)
        let kept = plan.keeping(recorded)
        var note: String?
        if kept == nil, !recorded.isEmpty {
            note = "Started over: the server's stream changed."
            Disk.removeFolder(directory.segments(of: id))
        }
        let segments = kept ?? plan.segments
        try Disk.makeFolder(directory.work(of: id))
        try Disk.makeFolder(directory.segments(of: id))
        try environment.journal.registry.setSegments(segments, of: id)
        try environment.journal.change(id, .state(.fetching), .note(note ?? item.note))
        return segments
    }

    private func fetch(_ segments: [SegmentRecord]) async throws {
        let missing = segments.filter { $0.size == nil }
        environment.board.update(id) { progress in
            progress.totalSegments = segments.count
            progress.doneSegments = segments.count - missing.count
            progress.receivedBytes = segments.reduce(0) { $0 + ($1.size ?? 0) }
        }
        let download = SegmentDownload(
            environment: environment,
            route: route,
            id: id,
            keys: KeyRing()
        )
        var failures = SegmentFailures(total: segments.count)
        try await withThrowingTaskGroup(of: SegmentFailures.Entry?.self) { group in
            var waiting = missing[...]
            var running = 0
            func startNext() {
                guard let segment = waiting.popFirst(), !failures.areHopeless else { return }
                running += 1
                group.addTask { try await attempt(segment, download) }
            }
            for _ in 0..<DownloadEnvironment.segmentTransfers { startNext() }
            while running > 0, let result = try await group.next() {
                running -= 1
                if let failure = result { failures.append(failure) }
                startNext()
            }
        }
        if let error = failures.error { throw error }
    }

    /// Returns the failure of this segment, nil when it is on disk; throws what concerns all of
    /// them, such as a full disk.
    private func attempt(
        _ segment: SegmentRecord,
        _ download: SegmentDownload
    ) async throws -> SegmentFailures.Entry? {
        do throws(DownloadError) {
            _ = try await download.run(segment)
            environment.board.update(id) { $0.doneSegments = ($0.doneSegments ?? 0) + 1 }
            return nil
        } catch {
            guard error.concernsOneSegment else { throw error }
            return SegmentFailures.Entry(number: segment.number, error: error)
        }
    }

    private func mux() async throws -> String {
        let segments = try environment.journal.registry.segments(of: id)
        try environment.journal.change(id, .kind(.stream), .state(.muxing))
        let paths = segments.map { directory.segment($0.number, of: id) }
        let container = try Self.container(paths)
        let output = directory.muxedFile(of: id)
        try Disk.removeFile(output)
        let total = segments.reduce(0) { $0 + ($1.size ?? 0) }
        environment.board.update(id) { progress in
            progress.totalSegments = segments.count
            progress.doneSegments = segments.count
            progress.receivedBytes = max(progress.receivedBytes, total)
            progress.muxedFraction = 0
        }
        let discontinuities = segments.indices.filter { segments[$0].isDiscontinuity }
        do {
            try await Muxer().mux(
                segments: paths,
                kind: container,
                into: output,
                discontinuities: Set(discontinuities),
                completeness: segments.allSatisfy(\.isProven) ? .proven : .unproven
            ) { fed, total in
                environment.reachCheckpoint(.duringMux)
                environment.board.update(id) {
                    $0.muxedFraction = Double(fed) / Double(max(total, 1))
                }
            }
        } catch {
            try distrustUnproven(segments, after: error)
            throw error
        }
        return output
    }

    /// Of segments that could not be joined those may be cut whose length no server told: the next
    /// try fetches them again.
    private func distrustUnproven(
        _ segments: [SegmentRecord],
        after error: MediaError
    ) throws(SQLiteError) {
        guard [.cannotRead, .notMedia, .failed].contains(error.code) else { return }
        try environment.journal.registry.forgetSizes(
            ofSegments: segments.filter { !$0.isProven }.map(\.number),
            of: id
        )
    }

    /// The container that all segments share, told from the first one's bytes.
    private static func container(_ paths: [String]) throws -> Muxer.SegmentContainer {
        guard let first = paths.first, let handle = FileHandle(forReadingAtPath: first),
            let prefix = try handle.read(upToCount: 1_024),
            let container = Muxer.SegmentContainer(
                ContentSniffer.kind(of: Array(prefix), contentType: nil)
            )
        else {
            throw DownloadError(
                .notMedia,
                "The first segment of the stream is not media that can be joined."
            )
        }
        return container
    }
}
