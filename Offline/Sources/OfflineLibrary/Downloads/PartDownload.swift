// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
import TidingsHTTP

/// Fetches one part, which is synced and renamed before it is recorded as complete.
struct PartDownload: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID
    let keys: KeyCache

    /// Fetches the part with retries and returns its size on disk.
    func run(_ record: PartRecord) async throws(DownloadError) -> Int64 {
        try await environment.retrying(id, at: record.part.address) {
            try await attempt(record)
        }
    }

    private func attempt(_ record: PartRecord) async throws -> Int64 {
        let part = record.part
        let key = try await keys.key(for: part, endpoint: endpoint)
        let path = environment.directory.part(record.fileName, of: id)
        let output = try OutputFile(path: path + ".part", keeping: 0)
        // Bytes of a repeated attempt count again, so that the progress never decreases.
        let receiver = try PartReceiver(part, key: key, output: output) { count in
            environment.progress.update(id) { $0.receivedBytes += count }
        }
        var request = endpoint.request(part.address)
        request.range = part.range
        let transfer = try await endpoint.client.perform(request, receiver: receiver)
        let kind = try receiver.finish()
        guard Muxer.SegmentContainer(kind) != nil else {
            throw DownloadError(
                .notMedia,
                "\(part.address.redacted) is neither MPEG-TS, fragmented MP4, AAC nor MP3."
            )
        }
        return try await keep(
            record.id,
            output,
            as: path,
            isProven: transfer.bodyEnd != .connectionClosed
        )
    }

    private func keep(
        _ part: PartID,
        _ output: OutputFile,
        as path: String,
        isProven: Bool
    ) async throws -> Int64 {
        try await performBlocking {
            let size = try output.sync()
            environment.reachCheckpoint(.beforeSegmentRename)
            try SystemFile.renameDurably(output.path, to: path)
            environment.reachCheckpoint(.afterSegmentRename)
            environment.reachCheckpoint(.beforeSegmentCommit)
            try environment.journal.registry.setSize(
                size,
                isProven: isProven,
                of: part,
                in: id
            )
            return size
        }
    }
}
