// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsHTTP

/// Fetches one part, and syncs and renames the file before the registry records the part as
/// complete.
struct PartDownload: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID
    let keys: KeyCache
    let versions: FileVersions
    /// Adapts the number of requests to their failures, or is nil for a fixed number.
    var pace: PartPace?

    /// The number of times to repeat a response whose length is not proven.
    private static let repetitions = 3

    /// Fetches the part with retries and returns its size on disk.
    func run(_ record: PartRecord) async throws(DownloadError) -> Int64 {
        try await environment.retrying(id, at: record.part.address) {
            let begin = pace?.now ?? .zero
            do {
                return try await attempt(record)
            } catch {
                pace?.fail(with: error, begunAt: begin)
                throw error
            }
        }
    }

    /// Returns whether the server's bytes of a finished part differ from the bytes on disk.
    func differs(_ record: PartRecord) async throws(DownloadError) -> Bool {
        let path = environment.directory.part(record.fileName, of: id)
        return try await environment.retrying(id, at: record.part.address) {
            let (output, _) = try await receive(record.part, into: path + ".part")
            defer { _ = try? SystemFile.remove(output.path) }
            _ = try output.sync()
            return !FileManager.default.contentsEqual(atPath: path, andPath: output.path)
        }
    }

    private func attempt(_ record: PartRecord) async throws -> Int64 {
        let path = environment.directory.part(record.fileName, of: id)
        var (output, transfer) = try await receive(record.part, into: path + ".part")
        if !transfer.bodyEnd.isProven {
            output = try await longest(of: record.part, output, into: path + ".again")
        }
        return try await keep(record.id, output, as: path, transfer: transfer)
    }

    /// Returns the file of a part without a proven length, after two equal responses.
    ///
    /// A connection that breaks off ends the response at a different place each time.
    private func longest(
        of part: Part,
        _ first: OutputFile,
        into path: String
    ) async throws -> OutputFile {
        var output = first
        for _ in 0..<Self.repetitions {
            let (again, _) = try await receive(part, into: path)
            let isEqual = FileManager.default.contentsEqual(atPath: output.path, andPath: path)
            if !isEqual, again.length > output.length {
                try SystemFile.rename(path, to: output.path)
                output = try OutputFile(path: output.path, keeping: again.length)
            } else {
                try SystemFile.remove(path)
            }
            if isEqual { return output }
        }
        throw DownloadError(
            .connection,
            "The server ends \(part.address.redacted) at another place each time, without stating "
                + "its length. Try again later."
        )
    }

    private func receive(
        _ part: Part,
        into path: String
    ) async throws -> (OutputFile, HTTPTransfer) {
        let key = try await keys.key(for: part, endpoint: endpoint)
        let output = try OutputFile(path: path, keeping: 0)
        let (hosts, host) = (environment.hosts, part.address.host)
        let place = try await hosts.enter(host, isLive: endpoint.isLive, mayShare: true)
        defer { place.leave() }
        // Bytes of a repeated attempt count again, so that the progress never decreases.
        let receiver = try PartReceiver(part, key: key, output: output, place: place) { count in
            environment.progress.update(id) { $0.receivedBytes += count }
        }
        var request = endpoint.request(part.address)
        request.range = part.range
        let transfer = try await endpoint.client.perform(request, receiver: receiver)
        hosts.setSharing(transfer.isMultiplexed && transfer.redirects.isEmpty, of: host)
        try versions.check(part, transfer.head)
        let kind = try receiver.finish()
        if part.isText {
            guard [.vtt, .text, .unknown].contains(kind) else {
                throw DownloadError(.notMedia, "\(part.address.redacted) is not WebVTT.")
            }
            return (output, transfer)
        }
        // In a playlist that lists only subtitles, the names of the parts need not show the format.
        let mayBeText = kind == .vtt && !part.isInitialization && !endpoint.isLive
        guard mayBeText || Muxer.SegmentContainer(kind) != nil else {
            throw DownloadError(
                .notMedia,
                "\(part.address.redacted) is neither MPEG-TS, fragmented MP4, AAC nor MP3."
            )
        }
        return (output, transfer)
    }

    private func keep(
        _ part: PartID,
        _ output: OutputFile,
        as path: String,
        transfer: HTTPTransfer
    ) async throws -> Int64 {
        try await performBlocking {
            let size = try output.sync()
            environment.reachCheckpoint(.beforeSegmentRename)
            try SystemFile.renameDurably(output.path, to: path)
            environment.reachCheckpoint(.afterSegmentRename)
            environment.reachCheckpoint(.beforeSegmentCommit)
            try environment.journal.downloads.setSize(
                size,
                isProven: transfer.bodyEnd.isProven,
                validator: transfer.head.version,
                of: part,
                in: id
            )
            return size
        }
    }
}
