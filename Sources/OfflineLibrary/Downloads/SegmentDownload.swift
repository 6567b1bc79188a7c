// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Fetches one segment: synced, renamed, and only then recorded as done.
struct SegmentDownload: Sendable {
    let environment: DownloadEnvironment
    let route: HTTPClients.Route
    let id: ItemID
    let keys: KeyRing

    /// Fetches the segment with retries.
    ///
    /// - Returns: Its size on disk.
    func run(_ segment: SegmentRecord) async throws(DownloadError) -> Int64 {
        try await environment.retrying(id, at: segment.address) {
            try await attempt(segment)
        }
    }

    private func attempt(_ segment: SegmentRecord) async throws -> Int64 {
        let key = try await keys.key(for: segment, route: route)
        let path = environment.directory.segment(segment.number, of: id)
        let output = try OutputFile(path: path + ".part", keeping: 0)
        // A piece that has to be fetched again counts again: progress never falls.
        let receiver = try SegmentReceiver(segment, key: key, output: output) { count in
            environment.board.update(id) { $0.receivedBytes += count }
        }
        var request = route.request(segment.address)
        request.range = segment.range
        let isProven = try await perform(request, receiver)
        let kind = try receiver.finish()
        guard Muxer.SegmentContainer(kind) != nil else {
            throw DownloadError(
                .notMedia,
                "\(segment.address.redacted) is neither MPEG-TS, fragmented MP4, AAC nor MP3."
            )
        }
        return try await keep(segment, output, as: path, isProven: isProven)
    }

    /// Returns whether the server had told the length that arrived.
    private func perform(
        _ request: HTTPRequest,
        _ receiver: SegmentReceiver
    ) async throws(HTTPError) -> Bool {
        do {
            let transfer = try await route.client.perform(request, receiver: receiver)
            return transfer.bodyEnd != .connectionClosed
        } catch  where error.cause is SegmentReceiver.Enough {
            return true
        }
    }

    private func keep(
        _ segment: SegmentRecord,
        _ output: OutputFile,
        as path: String,
        isProven: Bool
    ) async throws -> Int64 {
        try await offload {
            let size = try output.sync()
            environment.reachCheckpoint(.beforeSegmentRename)
            try Disk.rename(output.path, to: path)
            environment.reachCheckpoint(.afterSegmentRename)
            environment.reachCheckpoint(.beforeSegmentCommit)
            try environment.journal.registry.setSize(
                size,
                isProven: isProven,
                ofSegment: segment.number,
                of: id
            )
            return size
        }
    }
}
